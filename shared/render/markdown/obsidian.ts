// A post as an Obsidian note: YAML frontmatter, then the Markdown. Every string is JSON-quoted, which is valid in
// YAML 1.1 and 1.2 and cannot end the frontmatter.
import type { Conversation } from '../../model/conversation.ts';
import { visibleLine } from '../../model/visible-text.ts';

/** JSON leaves these as they are; YAML 1.1 reads some as line ends and refuses the others. */
const yamlString = (words: string): string =>
  JSON.stringify(words.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const TAG = /^[\p{L}\p{N}_-]+$/u;

const block = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n\n`;

export const frontmatter = ({ post }: Conversation): string => {
  const { author, metrics } = post;
  const name = author === undefined ? '' : visibleLine(author.name) || author.handle;
  const title = author === undefined ? `Post ${post.id}` : `${name} (@${author.handle})`;
  const tags = post.hashtags.filter((tag) => TAG.test(tag) && /[^0-9]/.test(tag) && visibleLine(tag) === tag);
  const lines = [
    `title: ${yamlString(title)}`,
    ...(author === undefined ? [] : [`author: ${yamlString(name)}`, `handle: ${yamlString(author.handle)}`]),
    `url: ${yamlString(post.url)}`,
    `id: ${yamlString(post.id)}`,
    ...(post.created_at === undefined ? [] : [`created: ${yamlString(post.created_at)}`]),
    ...(post.lang === undefined ? [] : [`lang: ${yamlString(post.lang)}`]),
    ...Object.entries(metrics).flatMap(([name, number]) => (number === null ? [] : [`${name}: ${number}`])),
    ...(tags.length === 0 ? [] : ['tags:', ...tags.map((tag) => `  - ${yamlString(tag)}`)]),
  ];
  return block(lines);
};

/** No more than the address, where there is little room. */
export const shortFrontmatter = ({ post }: Conversation): string => block([`url: ${yamlString(post.url)}`]);
