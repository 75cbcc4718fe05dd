// Renders a post as a block quote for pages of other sites: well-formed XML, no script, no style, only pictures from hosts
// of X. All third-party text is in text nodes.
import { isPost } from '../../model/conversation.ts';
import type { CommunityNote, Poll, Post } from '../../model/post.ts';
import { isBlank } from '../../model/visible-text.ts';
import { COMMUNITY_NOTE, choiceResult, pollState, tombstoneSentence } from '../../render/content/labels.ts';
import { previewText } from '../../render/content/link-preview.ts';
import type { Size } from '../../render/content/media-files.ts';
import { articleBeginning } from '../../render/content/post-facts.ts';
import { withoutQuoteUrl } from '../../render/content/repeats.ts';
import { type ShownCard, type ShownPart, shownParts } from '../../render/content/shown-post.ts';
import {
  allThatFit,
  BLOCK_GAP,
  bothOrNone,
  type EmbedBlock,
  estimateHeight,
  type FittingBlock,
  firstThatFits,
  fixedBlock,
  LINE_HEIGHT,
  lineBlock,
  noBlock,
  paragraphBlock,
  QUOTE_INDENT,
  quoteBlock,
  textBlock,
  unlinkedText,
} from '../../render/embed/blocks.ts';
import { mediaBlock, pictureBlock } from '../../render/embed/media.ts';
import {
  authorLink,
  authorName,
  cardName,
  contextText,
  dateLink,
  dateText,
  embedLinkHtml,
  pollHtml,
  tombstoneHtml,
} from '../../render/embed/post-lines.ts';
import { type Html, html, xmlHtml } from '../../render/html/html.ts';
import { langAttribute } from '../../render/html/text.ts';

/** Bound of the text of a quoted post, and of the beginning of an article. */
const MAX_QUOTE_HEIGHT = 6 * LINE_HEIGHT + BLOCK_GAP;

const textOptions = ({ lang }: Post, width: number) => ({ width, attributes: langAttribute(lang) });

const byline = (post: Post, width: number): EmbedBlock => paragraphBlock(authorLink(post), authorName(post), width);

const date = (post: Post, width: number): EmbedBlock => paragraphBlock(dateLink(post), dateText(post), width);

/** The author of a quoted post, and the beginning of its text. */
const quote = (entry: NonNullable<Post['quote']>, width: number): FittingBlock => {
  if ('unavailable' in entry) {
    const text = tombstoneSentence(entry.reason, 'This post');
    return quoteBlock(fixedBlock({ html: tombstoneHtml(entry), height: estimateHeight(text, width) + BLOCK_GAP }));
  }
  if (!isPost(entry))
    return quoteBlock(fixedBlock(paragraphBlock(embedLinkHtml(entry.url, entry.url), entry.url, width)));
  const options = { ...textOptions(entry, width), maxHeight: MAX_QUOTE_HEIGHT };
  const content = firstThatFits(
    textBlock(isBlank(entry.text) ? unlinkedText(previewText(entry)) : entry, options),
    fixedBlock(date(entry, width)),
  );
  return quoteBlock(bothOrNone(fixedBlock(byline(entry, width)), content), html` cite="${entry.url}"`);
};

const poll = (entry: Poll, width: number): FittingBlock => {
  const head = estimateHeight(`Poll${pollState(entry)}`, width) + BLOCK_GAP;
  const heights = entry.choices.map((choice) => estimateHeight(choice.label + choiceResult(choice), width));
  return fixedBlock({ html: pollHtml(entry), height: heights.reduce((sum, height) => sum + height, head + BLOCK_GAP) });
};

const article = (post: Post, width: number): FittingBlock => {
  const { article: entry, url } = post;
  if (entry === undefined) return noBlock;
  const title = fixedBlock(
    paragraphBlock(html`<strong>${embedLinkHtml(url, entry.title)}</strong>`, entry.title, width),
  );
  return firstThatFits(
    bothOrNone(title, textBlock(unlinkedText(articleBeginning(entry)), { width, maxHeight: MAX_QUOTE_HEIGHT })),
    title,
  );
};

const note = (entry: CommunityNote, width: number): FittingBlock =>
  quoteBlock(bothOrNone(fixedBlock(lineBlock(html`<strong>${COMMUNITY_NOTE}</strong>`)), textBlock(entry, { width })));

/** Bound of the description of a card. */
const MAX_CARD_HEIGHT = 3 * LINE_HEIGHT + BLOCK_GAP;

/** @param isShown the post is not marked as sensitive */
const card = (shown: ShownCard, width: number, isShown: boolean): FittingBlock => {
  const { url, description = '', image_url: image, image_alt: alt } = shown;
  const name = cardName(shown);
  const title = fixedBlock(paragraphBlock(embedLinkHtml(url, name), name, width));
  const words = firstThatFits(
    bothOrNone(title, textBlock(unlinkedText(description), { width, maxHeight: MAX_CARD_HEIGHT })),
    title,
  );
  if (image === undefined || !isShown) return words;
  const picture = { url: image, alt_text: alt, width: shown.image_width, height: shown.image_height };
  return firstThatFits(bothOrNone(pictureBlock({ type: 'photo', ...picture }, url, width), words), words);
};

const partBlock = (part: ShownPart, { url, sensitive }: Post, width: number): FittingBlock => {
  switch (part.kind) {
    case 'media':
      return mediaBlock(part.media, url, width, sensitive !== true);
    case 'poll':
      return poll(part.poll, width - QUOTE_INDENT);
    case 'quote':
      return quote(part.quote, width - QUOTE_INDENT);
    case 'card':
      return card(part.card, width, sensitive !== true);
    case 'note':
      return note(part.note, width - QUOTE_INDENT);
    default:
      return part satisfies never;
  }
};

/** @param post without the URL of its quote */
const blocksOf = (post: Post, width: number) => {
  const parts = shownParts(post, { hasBody: false });
  const partsOf = (kind: ShownPart['kind']): FittingBlock =>
    allThatFit(parts.filter((part) => part.kind === kind).map((part) => partBlock(part, post, width)));
  return {
    context: textBlock(unlinkedText(contextText(post)), { width }),
    byline: fixedBlock(byline(post, width)),
    text: textBlock(post, textOptions(post, width)),
    article: article(post, width),
    media: partsOf('media'),
    poll: partsOf('poll'),
    quote: partsOf('quote'),
    card: partsOf('card'),
    note: partsOf('note'),
    date: fixedBlock(date(post, width)),
  } satisfies Readonly<Record<ShownPart['kind'], FittingBlock>> & Readonly<Record<string, FittingBlock>>;
};

type BlockName = keyof ReturnType<typeof blocksOf>;

// biome-ignore format: two lines to compare
const READING_ORDER: readonly BlockName[] = ['context', 'byline', 'text', 'article', 'media', 'poll', 'quote', 'card', 'note', 'date'];
// biome-ignore format: two lines to compare
const PRIORITY: readonly BlockName[] = ['byline', 'date', 'text', 'article', 'poll', 'note', 'context', 'card', 'quote', 'media'];

/**
 * The author and the text in one paragraph, for heights without space for a paragraph of each. The author is shown
 * whatever the height is.
 */
const lowBlock = (post: Post, width: number): FittingBlock => {
  const name = authorName(post);
  const link = embedLinkHtml(post.url, name);
  const before = { html: html`${link}: `, text: `${name}: ` };
  return allThatFit([
    firstThatFits(textBlock(post, { ...textOptions(post, width), before }), () => paragraphBlock(link, name, width)),
    fixedBlock(date(post, width)),
  ]);
};

/**
 * The estimated height is at most that of the bounds. The author and the link to X are shown whatever the bounds are.
 *
 * @param bounds pixels
 */
export const embedHtml = (whole: Post, bounds: Size): EmbedBlock => {
  const post = withoutQuoteUrl(whole);
  const shown = compose(post, bounds);
  // The URL of the quote says of it what has no room.
  return post === whole || shown.hasQuote ? shown.block : compose(whole, bounds).block;
};

const compose = (post: Post, bounds: Size): { readonly block: EmbedBlock; readonly hasQuote: boolean } => {
  const width = Math.max(1, bounds.width - QUOTE_INDENT);
  const maxHeight = bounds.height - BLOCK_GAP;
  const candidates = blocksOf(post, width);
  const blocks: Partial<Record<BlockName, Html>> = {};
  let height = 0;
  for (const name of PRIORITY) {
    const block = candidates[name](maxHeight - height);
    if (block === undefined) continue;
    blocks[name] = block.html;
    height += block.height;
  }
  const full = { html: html`${READING_ORDER.map((name) => blocks[name])}`, height };
  const fits = blocks.byline && blocks.date && (blocks.text || isBlank(post.text));
  const content = (fits ? undefined : lowBlock(post, width)(maxHeight)) ?? full;
  const embed = html`<blockquote class="postern-embed" cite="${post.url}" lang="en">${content.html}</blockquote>`;
  return {
    block: { html: xmlHtml(embed), height: Math.min(bounds.height, BLOCK_GAP + content.height) },
    hasQuote: content === full && blocks.quote !== undefined,
  };
};
