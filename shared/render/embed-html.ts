// A post as a quotation on a page of somebody else: well-formed XML, no script, no style, pictures of X alone, and every
// third-party word a text node.
import type { Post } from '../model/post.ts';
import { mediaPiece } from './embed-media.ts';
import {
  asPiece,
  bothOf,
  firstOf,
  fitting,
  GAP,
  heightOf,
  INDENT,
  LINE,
  line,
  nothing,
  type Part,
  type Piece,
  prose,
  quotation,
  theirHand,
} from './embed-parts.ts';
import { escapeHtml } from './page.ts';
import type { Size } from './picture-sizes.ts';
import {
  COMMUNITY_NOTE,
  contextOf,
  dateLink,
  dateOf,
  nameOf,
  poll as pollHtml,
  SENSITIVE,
  tombstone,
  urlsOf,
} from './post-html.ts';
import { articleBeginning, glimpseOf } from './preview.ts';
import { choiceResult, pollState, unavailable } from './wording.ts';

const { link } = theirHand;

/** Of what a quoted post says, and of how an article begins. */
const MOST_QUOTED = 6 * LINE + GAP;

/** X has codes for what it cannot tell, and for what is no language. */
const LANGUAGE = /^(?!(?:q[a-t][a-z]|und|zxx|art)$)[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

/** Empty is how HTML says that nobody knows. */
const langOf = ({ lang = '' }: Post): string => ` lang="${LANGUAGE.test(lang) ? lang : ''}"`;

const paragraph = (html: string, words: string, width: number): Part => ({
  html: `<p dir="auto">${html}</p>`,
  height: heightOf(words, width) + GAP,
});

const byline = (post: Post, width: number): Part => {
  const name = nameOf(post);
  return paragraph(post.author ? link(post.author.url, escapeHtml(name)) : escapeHtml(name), name, width);
};

const date = (post: Post, width: number): Part => paragraph(dateLink(post, theirHand), dateOf(post), width);

/** Who, and what in short. */
const quote = ({ quote: entry }: Post, width: number): Piece => {
  if (entry === undefined) return nothing;
  if ('unavailable' in entry) {
    const words = `This post ${unavailable[entry.reason]}.`;
    return quotation(asPiece({ html: tombstone(entry, theirHand), height: heightOf(words, width) + GAP }));
  }
  if (!('metrics' in entry))
    return quotation(asPiece(paragraph(link(entry.url, escapeHtml(entry.url)), entry.url, width)));
  const options = { width, urls: urlsOf(entry), most: MOST_QUOTED, attributes: langOf(entry) };
  const content = firstOf(prose(glimpseOf(entry), options), asPiece(date(entry, width)));
  return quotation(bothOf(asPiece(byline(entry, width)), content), ` cite="${escapeHtml(entry.url)}"`);
};

const poll = ({ poll: entry }: Post, width: number): Piece => {
  if (entry === undefined) return nothing;
  const head = heightOf(`Poll${pollState(entry)}`, width) + GAP;
  const heights = entry.choices.map((choice) => heightOf(choice.label + choiceResult(choice), width));
  return asPiece({ html: pollHtml(entry), height: heights.reduce((sum, height) => sum + height, head + GAP) });
};

const article = ({ article: entry, url }: Post, width: number): Piece => {
  if (entry === undefined) return nothing;
  const title = asPiece(paragraph(`<strong>${link(url, escapeHtml(entry.title))}</strong>`, entry.title, width));
  return firstOf(bothOf(title, prose(articleBeginning(entry), { width, most: MOST_QUOTED })), title);
};

const note = ({ community_note: entry }: Post, width: number): Piece =>
  entry === undefined
    ? nothing
    : quotation(bothOf(asPiece(line(`<strong>${COMMUNITY_NOTE}</strong>`)), prose(entry.text, { width })));

const card = ({ card: entry }: Post, width: number): Piece => {
  if (entry === undefined) return nothing;
  const title = entry.title ?? entry.url;
  return asPiece(paragraph(link(entry.url, escapeHtml(title)), title, width));
};

const factsOf = (post: Post): string => [...contextOf(post), ...(post.sensitive ? [SENSITIVE] : [])].join('\n');

const piecesOf = (post: Post, width: number) => {
  const within = width - INDENT;
  return {
    context: prose(factsOf(post), { width }),
    byline: asPiece(byline(post, width)),
    text: prose(post.text, { width, urls: urlsOf(post), attributes: langOf(post) }),
    article: article(post, width),
    media: mediaPiece(post, width),
    poll: poll(post, within),
    quote: quote(post, within),
    card: card(post, width),
    note: note(post, within),
    date: asPiece(date(post, width)),
  } satisfies Readonly<Record<string, Piece>>;
};

type PieceName = keyof ReturnType<typeof piecesOf>;

// biome-ignore format: two lines to compare
const READING_ORDER: readonly PieceName[] = ['context', 'byline', 'text', 'article', 'media', 'poll', 'quote', 'card', 'note', 'date'];
// biome-ignore format: two lines to compare
const ORDER_OF_WORTH: readonly PieceName[] = ['byline', 'date', 'text', 'article', 'poll', 'note', 'context', 'card', 'quote', 'media'];

/** What XML has no way to write, however escaped. */
const NOT_XML = /[\ufffe\uffff]/g;

/** Not higher than the room, as far as that can be told. Who wrote it and where it is on X is said in any room. */
export const embedHtml = (post: Post, room: Size): Part => {
  const width = Math.max(1, room.width - INDENT);
  const { parts, height } = fitting(piecesOf(post, width), ORDER_OF_WORTH, room.height - GAP);
  const least = paragraph(link(post.url, escapeHtml(nameOf(post))), nameOf(post), width);
  const hasRoom = parts.byline !== undefined && parts.date !== undefined;
  const content = hasRoom ? READING_ORDER.map((name) => parts[name] ?? '').join('') : least.html;
  const html = `<blockquote class="postern-embed" cite="${escapeHtml(post.url)}" lang="en">${content}</blockquote>`;
  return {
    html: html.replace(NOT_XML, ''),
    height: Math.min(room.height, GAP + (hasRoom ? height : least.height)),
  };
};
