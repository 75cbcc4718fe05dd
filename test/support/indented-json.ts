/** Golden files have one member a line, so that a diff shows which member changed. */
export const indentedJson = (json: string): string => `${JSON.stringify(JSON.parse(json), null, 2)}\n`;
