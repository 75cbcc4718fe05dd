// Reads the examples and the commands of the documentation page about clients.

/** @param language of the fence; its first block is returned */
export const exampleIn = (markdown: string, language: string): string => {
  const [, example] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]+?)^\`\`\`$`, 'm').exec(markdown) ?? [];
  if (example === undefined) throw new Error(`the page about clients has no example in ${language}`);
  return example;
};

/** @param command the pattern of a command that a line of the page starts with */
export const argumentsIn = (markdown: string, command: string): readonly string[] => {
  const [, line] = new RegExp(`^${command}(.*)$`, 'm').exec(markdown) ?? [];
  if (line === undefined) throw new Error(`the page about clients has no command ${command}`);
  return line.split(' ');
};
