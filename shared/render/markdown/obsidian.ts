// Renders the YAML frontmatter of an Obsidian note. Every string is quoted as in JSON, which is valid in YAML 1.1 and 1.2
// and cannot end the frontmatter.
import type { Conversation } from '../../model/conversation.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { displayName } from '../content/labels.ts';

/** JSON does not escape these characters. YAML 1.1 reads some as line ends and rejects the others. */
const yamlString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const TAG = /^[\p{L}\p{N}_-]+$/u;

const block = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n\n`;

export const frontmatter = ({ post }: Conversation): string => {
  const { author, metrics } = post;
  const name = author === undefined ? '' : displayName(author);
  const title = author === undefined ? `Post ${post.id}` : `${name} (@${author.handle})`;
  const tags = post.hashtags.filter((tag) => TAG.test(tag) && /[^0-9]/.test(tag) && visibleLine(tag) === tag);
  const lines = [
    `title: ${yamlString(title)}`,
    ...(author === undefined ? [] : [`author: ${yamlString(name)}`, `handle: ${yamlString(author.handle)}`]),
    `url: ${yamlString(post.url)}`,
    `id: ${yamlString(post.id)}`,
    ...(post.created_at === undefined ? [] : [`created: ${yamlString(post.created_at)}`]),
    ...(post.lang === undefined ? [] : [`lang: ${yamlString(post.lang)}`]),
    ...Object.entries(metrics).flatMap(([metric, number]) => (number === null ? [] : [`${metric}: ${number}`])),
    ...(tags.length === 0 ? [] : ['tags:', ...tags.map((tag) => `  - ${yamlString(tag)}`)]),
  ];
  return block(lines);
};

/** Only the URL, for small budgets. */
export const shortFrontmatter = ({ post }: Conversation): string => block([`url: ${yamlString(post.url)}`]);
