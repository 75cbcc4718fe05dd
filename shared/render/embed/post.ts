// A post as a quotation on a page of somebody else: well-formed XML, no script, no style, pictures of X alone, and every
// third-party word a text node.
import type { Post } from '../../model/post.ts';
import { choiceResult, pollState, tombstoneLabels } from '../content/labels.ts';
import { articleBeginning, previewText } from '../content/link-preview.ts';
import type { Size } from '../content/picture-sizes.ts';
import { escapeHtml } from '../html/page.ts';
import {
  authorName,
  COMMUNITY_NOTE,
  contextLines,
  dateLink,
  dateOf,
  pollHtml,
  SENSITIVE,
  tombstoneHtml,
  urlsOf,
} from '../html/post.ts';
import {
  BLOCK_GAP,
  bothOrNone,
  type EmbedBlock,
  embedLinkStyle,
  estimateHeight,
  type FittingBlock,
  firstThatFits,
  fitBlocks,
  fixedBlock,
  LINE_HEIGHT,
  lineBlock,
  noBlock,
  QUOTE_INDENT,
  quoteBlock,
  textBlock,
} from './blocks.ts';
import { mediaBlock } from './media.ts';

const { link } = embedLinkStyle;

/** Of what a quoted post says, and of how an article begins. */
const MAX_QUOTE_HEIGHT = 6 * LINE_HEIGHT + BLOCK_GAP;

/** X has codes for what it cannot tell, and for what is no language. */
const LANGUAGE = /^(?!(?:q[a-t][a-z]|und|zxx|art)$)[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

/** Empty is how HTML says that nobody knows. */
const langOf = ({ lang = '' }: Post): string => ` lang="${LANGUAGE.test(lang) ? lang : ''}"`;

const paragraph = (html: string, words: string, width: number): EmbedBlock => ({
  html: `<p dir="auto">${html}</p>`,
  height: estimateHeight(words, width) + BLOCK_GAP,
});

const byline = (post: Post, width: number): EmbedBlock => {
  const name = authorName(post);
  return paragraph(post.author ? link(post.author.url, escapeHtml(name)) : escapeHtml(name), name, width);
};

const date = (post: Post, width: number): EmbedBlock => paragraph(dateLink(post, embedLinkStyle), dateOf(post), width);

/** Who, and what in short. */
const quote = ({ quote: entry }: Post, width: number): FittingBlock => {
  if (entry === undefined) return noBlock;
  if ('unavailable' in entry) {
    const words = `This post ${tombstoneLabels[entry.reason]}.`;
    return quoteBlock(
      fixedBlock({ html: tombstoneHtml(entry, embedLinkStyle), height: estimateHeight(words, width) + BLOCK_GAP }),
    );
  }
  if (!('metrics' in entry))
    return quoteBlock(fixedBlock(paragraph(link(entry.url, escapeHtml(entry.url)), entry.url, width)));
  const options = { width, urls: urlsOf(entry), most: MAX_QUOTE_HEIGHT, attributes: langOf(entry) };
  const content = firstThatFits(textBlock(previewText(entry), options), fixedBlock(date(entry, width)));
  return quoteBlock(bothOrNone(fixedBlock(byline(entry, width)), content), ` cite="${escapeHtml(entry.url)}"`);
};

const poll = ({ poll: entry }: Post, width: number): FittingBlock => {
  if (entry === undefined) return noBlock;
  const head = estimateHeight(`Poll${pollState(entry)}`, width) + BLOCK_GAP;
  const heights = entry.choices.map((choice) => estimateHeight(choice.label + choiceResult(choice), width));
  return fixedBlock({ html: pollHtml(entry), height: heights.reduce((sum, height) => sum + height, head + BLOCK_GAP) });
};

const article = ({ article: entry, url }: Post, width: number): FittingBlock => {
  if (entry === undefined) return noBlock;
  const title = fixedBlock(paragraph(`<strong>${link(url, escapeHtml(entry.title))}</strong>`, entry.title, width));
  return firstThatFits(bothOrNone(title, textBlock(articleBeginning(entry), { width, most: MAX_QUOTE_HEIGHT })), title);
};

const note = ({ community_note: entry }: Post, width: number): FittingBlock =>
  entry === undefined
    ? noBlock
    : quoteBlock(
        bothOrNone(fixedBlock(lineBlock(`<strong>${COMMUNITY_NOTE}</strong>`)), textBlock(entry.text, { width })),
      );

const card = ({ card: entry }: Post, width: number): FittingBlock => {
  if (entry === undefined) return noBlock;
  const title = entry.title ?? entry.url;
  return fixedBlock(paragraph(link(entry.url, escapeHtml(title)), title, width));
};

const factsOf = (post: Post): string => [...contextLines(post), ...(post.sensitive ? [SENSITIVE] : [])].join('\n');

const piecesOf = (post: Post, width: number) => {
  const within = width - QUOTE_INDENT;
  return {
    context: textBlock(factsOf(post), { width }),
    byline: fixedBlock(byline(post, width)),
    text: textBlock(post.text, { width, urls: urlsOf(post), attributes: langOf(post) }),
    article: article(post, width),
    media: mediaBlock(post, width),
    poll: poll(post, within),
    quote: quote(post, within),
    card: card(post, width),
    note: note(post, within),
    date: fixedBlock(date(post, width)),
  } satisfies Readonly<Record<string, FittingBlock>>;
};

type PieceName = keyof ReturnType<typeof piecesOf>;

// biome-ignore format: two lines to compare
const READING_ORDER: readonly PieceName[] = ['context', 'byline', 'text', 'article', 'media', 'poll', 'quote', 'card', 'note', 'date'];
// biome-ignore format: two lines to compare
const PRIORITY: readonly PieceName[] = ['byline', 'date', 'text', 'article', 'poll', 'note', 'context', 'card', 'quote', 'media'];

/** What XML has no way to write, however escaped. */
const NOT_XML = /[\ufffe\uffff]/g;

/** Not higher than the room, as far as that can be told. Who wrote it and where it is on X is said in any room. */
export const embedHtml = (post: Post, room: Size): EmbedBlock => {
  const width = Math.max(1, room.width - QUOTE_INDENT);
  const { parts, height } = fitBlocks(piecesOf(post, width), PRIORITY, room.height - BLOCK_GAP);
  const least = paragraph(link(post.url, escapeHtml(authorName(post))), authorName(post), width);
  const hasRoom = parts.byline !== undefined && parts.date !== undefined;
  const content = hasRoom ? READING_ORDER.map((name) => parts[name] ?? '').join('') : least.html;
  const html = `<blockquote class="postern-embed" cite="${escapeHtml(post.url)}" lang="en">${content}</blockquote>`;
  return {
    html: html.replace(NOT_XML, ''),
    height: Math.min(room.height, BLOCK_GAP + (hasRoom ? height : least.height)),
  };
};
