// Makes a book of a conversation, with the renderers of its page: the author's thread or article as one text, divided at its
// parts and headings. What is not text of the author stands at the end.
import { entriesOf, isPost, isTombstone, ownThread } from '../model/conversation.ts';
import type { Article, ArticleBlock, Post, PostOrTombstone } from '../model/post.ts';
import type { Conversation, Warning } from '../model/resources.ts';
import { visibleLine } from '../model/visible-text.ts';
import { cutTitle } from '../render/content/cut.ts';
import { displayName, nameAndHandle, pollFacts } from '../render/content/labels.ts';
import { ownMedia } from '../render/content/media-files.ts';
import { shownBlocks, spansText } from '../render/content/post-facts.ts';
import { postTitle } from '../render/content/post-title.ts';
import { withoutQuoteUrl } from '../render/content/repeats.ts';
import { shownArticle } from '../render/content/shown-post.ts';
import { withoutOriginals } from '../render/content/translation.ts';
import { articleBody } from '../render/html/article.ts';
import { type Html, html, xmlText } from '../render/html/html.ts';
import { permalinkPath } from '../render/html/inner-links.ts';
import { postItemHtml, quoteHtml } from '../render/html/post-item.ts';
import { attachmentsHtml, postTextHtml, tombstoneHtml } from '../render/html/post-parts.ts';
import type { Reading } from '../render/html/reading.ts';
import { currentTag, langAttribute, textHtml } from '../render/html/text.ts';

/** An entry of the contents. */
interface BookEntry {
  /** An XML name. */
  readonly id: string;
  /** Plain text. */
  readonly title: string;
  /** From 1. Entries with a larger level belong to the one before them. */
  readonly level: number;
}

export interface BookSection extends BookEntry {
  /** The headings below the title. */
  readonly headings: readonly BookEntry[];
  /** Content of a page. */
  readonly html: Html;
}

export interface Book {
  /** Plain text. */
  readonly title: string;
  readonly author: string;
  /** Name and handle. */
  readonly byline: string;
  /** BCP 47. `und`: not known. */
  readonly lang: string;
  readonly isRightToLeft: boolean;
  /** RFC 3339. */
  readonly publishedAt: string | undefined;
  /** RFC 3339: the time of the newest part. It takes the place of a time of reading, so that the same posts are the same book. */
  readonly modifiedAt: string;
  /** On X. */
  readonly url: string;
  /** The path of the page in the service. */
  readonly path: string;
  readonly coverUrl: string | undefined;
  /** At least one. */
  readonly sections: readonly BookSection[];
  readonly warnings: readonly Warning[];
}

const RIGHT_TO_LEFT = new Set<string | undefined>(['Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa']);

/** By the script in which the language is written most. */
const isRightToLeft = (lang: string): boolean => {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(lang).maximize().script);
  } catch {
    return false; // The tag has the form of BCP 47, but breaks another rule of it.
  }
};

const languageOf = ({ lang, translation }: Post, reading: Reading | undefined): string => {
  const shown = reading?.translation === 'only' && translation !== undefined ? translation.target_lang : lang;
  return currentTag(shown) ?? 'und';
};

const TITLE_CHARACTERS = 70;

/** A title or name on one line, as XML can hold it. It can be empty. */
const lineOf = (text: string): string => xmlText(visibleLine(text)).trim();

const wordsOf = (text: string): string => cutTitle(lineOf(text.slice(0, 1000)), TITLE_CHARACTERS);

const wholeQuote = (quote: NonNullable<Post['quote']>): Html => quoteHtml(quote, { isCut: false });

/** Text, media, poll, quote and note of a part, without its article. */
const postBody = (post: Post): Html => {
  const facts = post.poll && pollFacts(post.poll);
  return html`${[
    postTextHtml(withoutQuoteUrl(post)),
    attachmentsHtml(post, { quote: wholeQuote, hasBody: true }),
    facts && html`<p class="meta">${facts}</p>`,
  ]}`;
};

type Heading = Extract<ArticleBlock, { readonly type: 'heading' }>;

const isHeading = (block: ArticleBlock): block is Heading => block.type === 'heading';

const highestIn = (blocks: readonly ArticleBlock[]): number =>
  blocks.filter(isHeading).reduce((highest, { level }) => Math.min(highest, level), Number.POSITIVE_INFINITY);

/** The blocks before the first heading of the highest level, and from each such heading to the next. */
const divide = (blocks: readonly ArticleBlock[], highest: number): readonly (readonly ArticleBlock[])[] => {
  const groups: ArticleBlock[][] = [[]];
  for (const block of blocks) {
    if (isHeading(block) && block.level === highest) groups.push([]);
    groups.at(-1)?.push(block);
  }
  return groups;
};

/** The title of an article has the level 1 in the contents. */
const HIGHEST_HEADING = 2;

/** @param highest the level of the highest headings of the article @param idPrefix as in proseHtml */
const headingsIn = (blocks: readonly ArticleBlock[], highest: number, idPrefix: string): readonly BookEntry[] =>
  blocks.filter(isHeading).map(({ level, spans }, index) => ({
    id: `${idPrefix}${index + 1}`,
    title: wordsOf(spansText(spans)) || 'Heading',
    level: HIGHEST_HEADING + level - highest,
  }));

const proseHtml = (blocks: readonly ArticleBlock[], lang: string | undefined, idPrefix: string): Html =>
  html`<div class="prose"${langAttribute(lang)}>${articleBody(blocks, { lang, titleLevel: 1, idPrefix }).html}</div>`;

const section = (id: string, title: string, content: Html): BookSection => ({
  id,
  title,
  html: content,
  level: 1,
  headings: [],
});

/** One section per heading. The text of the post itself, which is seldom more than a link to the article, comes first. */
const articleSections = (post: Post, article: Article, id: string): [BookSection, ...BookSection[]] => {
  const { lang } = post;
  const title = lineOf(article.title) || 'Article';
  if (article.blocks.length === 0)
    return [section(id, title, html`${textHtml({ text: article.preview_text ?? '', lang })}${postBody(post)}`)];
  const shown = shownBlocks(article.blocks);
  const highest = highestIn(shown);
  const [opening = [], ...others] = divide(shown, highest);
  return [
    {
      ...section(id, title, html`${postBody(post)}${proseHtml(opening, lang, `${id}-0-`)}`),
      headings: headingsIn(opening, highest, `${id}-0-`),
    },
    ...others.map((blocks, index) => {
      const own = `${id}-${index + 1}`;
      // The section begins with its own heading.
      const [first, ...headings] = headingsIn(blocks, highest, `${own}-`);
      const prose = proseHtml(blocks, lang, `${own}-`);
      return { id: own, title: first?.title ?? title, level: HIGHEST_HEADING, headings, html: prose };
    }),
  ];
};

/** The sections of a part, without its number. */
const sectionsOf = (entry: PostOrTombstone, id: string): [BookSection, ...BookSection[]] => {
  if (isTombstone(entry)) return [section(id, 'Missing', tombstoneHtml(entry.reason, 'This part of the thread'))];
  const article = shownArticle(entry);
  if (article !== undefined) return articleSections(entry, article, id);
  const title = wordsOf(entry.translation?.text ?? entry.text) || (entry.media.length > 0 ? 'Pictures' : 'Post');
  return [section(id, title, postBody(entry))];
};

const partSections = (entry: PostOrTombstone, index: number, count: number): readonly BookSection[] => {
  const number = index + 1;
  const sections = sectionsOf(entry, `p${number}`);
  if (count === 1) return sections;
  const [first, ...others] = sections;
  return [
    { ...first, title: `${number}. ${first.title}`, html: html`<h2 class="n">${number}</h2>${first.html}` },
    ...others,
  ];
};

/** Whole posts by others: the context, or the replies. */
const othersSection = (id: string, title: string, entries: readonly PostOrTombstone[]): readonly BookSection[] => {
  if (entries.length === 0) return [];
  const items = entries.map((entry) =>
    isTombstone(entry)
      ? tombstoneHtml(entry.reason, 'A post')
      : postItemHtml(entry, { isCut: false, heading: 'h3', figures: [] }),
  );
  return [section(id, title, html`<h2>${title}</h2>${items}`)];
};

/** X began on this day. */
const NO_TIME = '2006-03-21T00:00:00Z';

const timesOf = (entries: readonly PostOrTombstone[]): readonly string[] =>
  entries.flatMap((entry) =>
    isTombstone(entry) ? [] : [entry.created_at ?? NO_TIME, entry.article?.modified_at ?? NO_TIME],
  );

export const bookOf = (whole: Conversation, warnings: readonly Warning[], reading?: Reading): Book => {
  const conversation = reading?.translation === 'only' ? withoutOriginals(whole) : whole;
  const { context, parts, first } = ownThread(conversation);
  const { author } = first;
  const lang = languageOf(first, reading);
  const modifiedAt =
    timesOf([...parts, ...conversation.replies])
      .toSorted()
      .at(-1) ?? NO_TIME;
  return {
    title: lineOf(postTitle(first)) || 'Post',
    author: author === undefined ? 'Unknown' : lineOf(displayName(author)) || author.handle,
    byline: author === undefined ? 'Unknown' : nameAndHandle(author),
    lang,
    isRightToLeft: isRightToLeft(lang),
    publishedAt: first.article?.published_at ?? first.created_at,
    modifiedAt,
    url: first.url,
    path: permalinkPath(first),
    coverUrl: first.article?.cover_url,
    sections: [
      ...othersSection('context', 'In reply to', context),
      ...parts.flatMap((part, index) => partSections(part, index, parts.length)),
      ...othersSection('replies', 'Replies', conversation.replies),
    ],
    warnings,
  };
};

/** The pictures of posts that are marked as sensitive: a book has nowhere to hide them. */
export const sensitivePictures = (conversation: Conversation): ReadonlySet<string> => {
  const urls = new Set<string>();
  const add = (entry: PostOrTombstone): void => {
    if (isTombstone(entry)) return;
    if (entry.sensitive)
      for (const { url, thumbnail_url: still } of ownMedia(entry))
        for (const each of [url, still ?? url]) urls.add(each);
    if (isPost(entry.quote)) add(entry.quote);
  };
  for (const entry of entriesOf(conversation)) add(entry);
  return urls;
};
