// Replaces the generated part of a Markdown file: the text between two comments.

export interface GeneratedSection {
  readonly name: string;
  /** The npm script that writes the section. */
  readonly script: string;
  readonly content: string;
}

/** @throws if a comment is missing */
export const replaceSection = (markdown: string, { name, script, content }: GeneratedSection): string => {
  const begin = `<!-- ${name}: written by \`npm run update -- ${script}\` -->`;
  const [start, end] = [markdown.indexOf(begin), markdown.indexOf(`<!-- /${name} -->`)];
  if (start === -1 || end < start) throw new Error(`the document has no place for ${name}`);
  return `${markdown.slice(0, start)}${begin}\n\n${content}\n\n${markdown.slice(end)}`;
};
