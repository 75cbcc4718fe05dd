// Formats JSON documents with indentation, because people read them, too.

export const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
