// Documents in JSON are read by people too.

export const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
