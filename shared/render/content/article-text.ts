// Extracts the structure and the plain text of articles.
import type { Article, ArticleBlock, ArticleSpan } from '../../model/post.ts';
import { isBlank } from '../../model/visible-text.ts';

export const spansText = (spans: readonly ArticleSpan[]): string => spans.map(({ text }) => text).join('');

/** @returns an empty string for blocks without spans */
const blockText = (block: ArticleBlock): string => ('spans' in block ? spansText(block.spans) : '');

/** The blocks without those whose text is blank, such as an empty line of the editor. */
export const shownBlocks = (blocks: readonly ArticleBlock[]): readonly ArticleBlock[] =>
  blocks.filter((block) => !('spans' in block) || !isBlank(blockText(block)));

export const LOWEST_HEADING = 6;

/** @param titleLevel the level of the title of the article */
export const headingLevel = (level: number, titleLevel: number): number =>
  Math.min(LOWEST_HEADING, Math.max(1, level) + titleLevel);

/** The preview of an article, or the text of its first block that has any. */
export const articleBeginning = ({ preview_text: preview, blocks }: Article): string =>
  preview ?? blocks.map(blockText).find((text) => text.trim() !== '') ?? '';

/** The text of all blocks, with code. */
export const articleText = ({ blocks }: Article): string =>
  blocks.map((block) => (block.type === 'code' ? block.text : blockText(block))).join('\n');
