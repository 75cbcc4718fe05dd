// Renders the YAML frontmatter of an Obsidian note. Every string is quoted as in JSON, which is valid in YAML 1.1 and 1.2
// and cannot end the frontmatter.
import type { Post } from '../../model/post.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { displayName } from '../content/labels.ts';
import { noteTitle } from '../content/post-title.ts';

/** JSON does not escape these characters. YAML 1.1 reads some as line ends and rejects the others. */
const yamlString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const TAG = /^[\p{L}\p{N}_-]+$/u;

const block = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n\n`;

/** The names are those of the Obsidian Web Clipper. Notes have no time of reading, so `created` is a time of the post. */
export const frontmatter = (post: Post): string => {
  const { author, metrics, created_at: published } = post;
  const tags = post.hashtags.filter((tag) => TAG.test(tag) && /[^0-9]/.test(tag) && visibleLine(tag) === tag);
  const lines = [
    `title: ${yamlString(noteTitle(post))}`,
    ...(author === undefined
      ? []
      : [`author: ${yamlString(displayName(author))}`, `handle: ${yamlString(author.handle)}`]),
    `source: ${yamlString(post.url)}`,
    `id: ${yamlString(post.id)}`,
    ...(published === undefined ? [] : [`published: ${yamlString(published)}`, `created: ${yamlString(published)}`]),
    ...(post.community?.name === undefined ? [] : [`community: ${yamlString(post.community.name)}`]),
    ...(post.lang === undefined ? [] : [`lang: ${yamlString(post.lang)}`]),
    ...Object.entries(metrics).flatMap(([metric, number]) => (number === null ? [] : [`${metric}: ${number}`])),
    ...(tags.length === 0 ? [] : ['tags:', ...tags.map((tag) => `  - ${yamlString(tag)}`)]),
  ];
  return block(lines);
};

/** Only the URL, for small budgets. */
export const shortFrontmatter = ({ url }: Post): string => block([`source: ${yamlString(url)}`]);
