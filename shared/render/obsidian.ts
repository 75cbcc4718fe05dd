// A post as an Obsidian note: YAML frontmatter, then the Markdown. Every string is JSON-quoted, which is valid in
// YAML 1.1 and 1.2 and cannot end the frontmatter.
import type { Conversation } from '../model/conversation.ts';
import { createInk, type Ink, visible } from './escape.ts';

/** JSON leaves these three as they are, and YAML 1.1 reads them as line ends. */
const yamlString = (words: string): string =>
  JSON.stringify(words.toWellFormed()).replace(/[\u0085\u2028\u2029\u007f-\u009f\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const oneLine = (ink: Ink, words: string): string => visible(ink, words).replace(/\s+/g, ' ').trim();

const TAG = /^[\p{L}\p{N}_-]+$/u;

export const frontmatter = ({ post }: Conversation): string => {
  const ink = createInk('obsidian');
  const { author, metrics } = post;
  const title = author === undefined ? `Post ${post.id}` : `${oneLine(ink, author.name) || author.handle} (@${author.handle})`;
  const tags = post.hashtags.filter((tag) => TAG.test(tag) && /[^0-9]/.test(tag));
  const lines = [
    `title: ${yamlString(title)}`,
    ...(author === undefined ? [] : [`author: ${yamlString(oneLine(ink, author.name) || author.handle)}`, `handle: ${yamlString(author.handle)}`]),
    `url: ${yamlString(post.url)}`,
    `id: ${yamlString(post.id)}`,
    ...(post.created_at === undefined ? [] : [`created: ${yamlString(post.created_at)}`]),
    ...(post.lang === undefined ? [] : [`lang: ${yamlString(post.lang)}`]),
    ...Object.entries(metrics).flatMap(([name, number]) => (number === null ? [] : [`${name}: ${number}`])),
    ...(tags.length === 0 ? [] : ['tags:', ...tags.map((tag) => `  - ${yamlString(tag)}`)]),
  ];
  return `---\n${lines.join('\n')}\n---\n\n`;
};
