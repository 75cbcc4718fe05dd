// Renders hostile texts in every form, and lets two independent parsers judge each document: it must have the structure and
// the texts of the same document with plain words in the place of the hostile ones.
import { isDeepStrictEqual } from 'node:util';
import { FEED_FORMATS } from '../../shared/contract/media-types.ts';
import { visibleText } from '../../shared/model/visible-text.ts';
import { createFollowsPresenter } from '../../shared/reads/follows/present.ts';
import { presentOembed } from '../../shared/reads/oembed/present.ts';
import { presentPost } from '../../shared/reads/post/present.ts';
import { presentProfile } from '../../shared/reads/profile/present.ts';
import { presentSearch } from '../../shared/reads/search/present.ts';
import { cutOffset } from '../../shared/render/content/cut.ts';
import { writeFeed } from '../../shared/render/feeds/write-feed.ts';
import { hostileConversation, hostilePost, hostileUser, type NextText } from '../generators/hostile-models.ts';
import { readHtml, readJson, readXml } from './document-readers.ts';
import { BASE, profileOf, renderList, searchOf } from './list-models.ts';
import { type Flat, readWithMarkdownIt, readWithMdast } from './markdown-oracle.ts';
import {
  asWritten,
  createPlainCounterpart,
  type Layout,
  textSource,
  type WriteText,
  withoutMargins,
} from './plain-counterpart.ts';

/** Enough for each field of the longest form. */
export const TEXTS_OF_A_GROUP = 50;

type Readers = Readonly<Record<string, (document: string) => readonly Flat[]>>;

export interface Form {
  readonly name: string;
  readonly readers: Readers;
  /** How the form shows texts of several lines. */
  readonly block: Layout;
  readonly render: (nextText: NextText, block: Layout) => string;
}

const markdownReaders: Readers = {
  mdast: (text) => withoutMargins(readWithMdast(text)),
  'markdown-it': (text) => withoutMargins(readWithMarkdownIt(text)),
};

type Format = 'markdown' | 'obsidian' | 'html';

const conversation =
  (format: Format): Form['render'] =>
  (nextText, block) =>
    renderList(presentPost, hostileConversation(nextText, block), { format }).body;

const profile =
  (format: Format): Form['render'] =>
  (nextText, block) =>
    renderList(
      presentProfile,
      profileOf(hostileUser(nextText, '_ada_', block), { posts: [hostilePost(nextText, '20', block)] }),
      { format },
    ).body;

const search =
  (format: Format): Form['render'] =>
  (nextText, block) => {
    // The page has the query in its box, and not as a text.
    const query = format === 'html' ? 'fjord' : nextText('line');
    return renderList(presentSearch, searchOf({ query, posts: [hostilePost(nextText, '20', block)] }), { format }).body;
  };

const followers =
  (format: Format): Form['render'] =>
  (nextText, block) => {
    const users = ['b_c', '_x_'].map((handle) => hostileUser(nextText, handle, block));
    return renderList(createFollowsPresenter('followers'), { handle: '_ada_', users }, { format }).body;
  };

const withoutFrontMatter =
  (render: Form['render']): Form['render'] =>
  (nextText, block) =>
    render(nextText, block).replace(/^---\n[\s\S]*?\n---\n/, '');

const form = (name: string, block: Layout, render: Form['render'], readers = markdownReaders): Form => ({
  name,
  readers,
  block,
  render,
});

const markdownForms: readonly Form[] = [
  form('Markdown of a conversation', 'paragraphs', withoutFrontMatter(conversation('markdown'))),
  form('Obsidian note', 'paragraphs', withoutFrontMatter(conversation('obsidian'))),
  form('Markdown of a profile', 'paragraphs', profile('markdown')),
  form('Markdown of a search', 'paragraphs', search('markdown')),
  form('Markdown of followers', 'line', followers('markdown')),
];

const htmlForms: readonly Form[] = [
  form('page of a conversation', 'code', conversation('html'), readHtml),
  form('page of a profile', 'code', profile('html'), readHtml),
  form('page of a search', 'code', search('html'), readHtml),
  form('page of followers', 'line', followers('html'), readHtml),
];

const FEED_NAMES = { rss: 'RSS', atom: 'Atom', jsonfeed: 'JSON Feed' } as const;

const feedForms = FEED_FORMATS.map(
  (format): Form => ({
    name: FEED_NAMES[format],
    readers: format === 'jsonfeed' ? readJson : readXml,
    block: 'code',
    render: (nextText, block) => {
      const posts = [hostilePost(nextText, '20', block, true), hostilePost(nextText, '21', block)];
      const feed = {
        id: 'https://x.com/ada',
        title: nextText('line'),
        description: nextText('line'),
        self: `${BASE}/ada/rss`,
        home: `${BASE}/ada`,
        posts,
        baseUrl: BASE,
      };
      return writeFeed(format, feed).body;
    },
  }),
);

const embedForm: Form = {
  name: 'oEmbed',
  readers: readJson,
  // An embed of more lines than its height cuts the quoted text.
  block: 'line',
  render: (nextText, block) => renderList(presentOembed, { post: hostilePost(nextText, '20', block) }).body,
};

export const forms: readonly Form[] = [...markdownForms, ...htmlForms, ...feedForms, embedForm];

/** A cut adds a link to the rest, which changes the structure. */
const isCut = (text: string, block: Layout): boolean =>
  cutOffset(visibleText(text)) !== undefined || text.length >= (block === 'line' ? 150 : 250);

/**
 * A text that only has white space is left out of a document, which changes the structure, so letters surround each part.
 *
 * @returns the text in parts that the form does not cut; mostly one
 */
const partsOf = (text: string, block: Layout): readonly string[] => {
  const part = `a${block === 'line' ? text.replaceAll(/[\n\r\v\f\u0085\u2028\u2029]/g, ' ') : text}z`;
  if (!isCut(part, block)) return [part];
  const half = Math.floor(text.length / 2);
  return [text.slice(0, half), text.slice(half)].flatMap((side) => partsOf(side, block));
};

/** Markdown shows a text as it is, so that the start of each line is judged. */
const partsOfMarkdown = (text: string): readonly string[] => {
  if ([text, visibleText(text)].every((each) => cutOffset(each) === undefined)) return [text];
  const half = Math.floor(text.length / 2);
  return [text.slice(0, half), text.slice(half)].flatMap(partsOfMarkdown);
};

/** XML cannot represent two characters. */
const forXml = (flat: Flat): Flat =>
  typeof flat === 'string'
    ? flat.replace(/[\ufffe\uffff]/g, '')
    : { kind: flat.kind, content: flat.content.map(forXml) };

const squeezedText = (flat: Flat): Flat =>
  typeof flat === 'string'
    ? flat.replace(/\s+/g, ' ').trim()
    : { kind: flat.kind, content: flat.content.map(squeezedText) };

/** @returns what differs, with its place; undefined if nothing does */
const differenceOf = (expected: readonly Flat[], found: readonly Flat[], where = ''): string | undefined => {
  for (let index = 0; index < Math.max(expected.length, found.length); index += 1) {
    const [wanted, got] = [expected[index], found[index]];
    if (isDeepStrictEqual(wanted, got)) continue;
    if (typeof wanted === 'object' && typeof got === 'object' && wanted.kind === got.kind)
      return differenceOf(wanted.content, got.content, `${where}/${wanted.kind.slice(0, 40)}`);
    return `${where}: ${JSON.stringify(wanted)?.slice(0, 160)} became ${JSON.stringify(got)?.slice(0, 160)}`;
  }
  return undefined;
};

export interface TextFinding {
  readonly form: string;
  readonly reader: string;
  readonly difference: string;
}

export interface JudgedDocument {
  readonly findings: readonly TextFinding[];
  /** The texts that the document shows with all their lines. */
  readonly shown: ReadonlySet<string>;
}

/** Judges one document of a form, whose fields hold as many of the texts as there are fields. */
export const judgeDocument = ({ name, readers, block, render }: Form, texts: readonly string[]): JudgedDocument => {
  const isMarkdown = readers === markdownReaders;
  const counterpart = createPlainCounterpart();
  const fields: { readonly text: string; readonly words: string }[] = [];
  const writePlain: WriteText = (text, layout) => {
    const words = counterpart.writeText(text, layout);
    fields.push({ text, words });
    return words;
  };
  const rendered = (writeText: WriteText): string => render(textSource(texts, writeText), block);
  const [hostile, plain] = [rendered(asWritten), rendered(writePlain)];
  const findings = Object.entries(readers).flatMap(([reader, read]): readonly TextFinding[] => {
    try {
      const restored = read(plain).map(counterpart.restore);
      const expected = isMarkdown ? withoutMargins(restored) : restored.map(forXml).map(squeezedText);
      const found = isMarkdown ? read(hostile) : read(hostile).map(forXml).map(squeezedText);
      const difference = differenceOf(expected, found);
      return difference === undefined ? [] : [{ form: name, reader, difference }];
    } catch (error) {
      return [{ form: name, reader, difference: String(error) }];
    }
  });
  const isShown = (words: string): boolean => words.split('\n').every((word) => plain.includes(word));
  return { findings, shown: new Set(fields.filter(({ words }) => isShown(words)).map(({ text }) => text)) };
};

export interface JudgedForm {
  readonly findings: readonly TextFinding[];
  readonly documents: number;
  /** Texts that documents show with all their parts. */
  readonly shown: number;
  /** Texts that are judged in parts, because the form would cut them. */
  readonly divided: number;
}

/** Judges as many documents of a form as show all the texts. */
export const judgeForm = (form: Form, texts: readonly string[]): JudgedForm => {
  const isMarkdown = form.readers === markdownReaders;
  const divided = texts.map((text) => (isMarkdown ? partsOfMarkdown(text) : partsOf(text, form.block)));
  const findings: TextFinding[] = [];
  let documents = 0;
  let left = divided.flat();
  for (let shown = 1; shown > 0 && left.length > 0; documents += 1) {
    const judged = judgeDocument(form, left);
    findings.push(...judged.findings);
    const next = left.filter((part) => !judged.shown.has(part));
    shown = left.length - next.length;
    left = next;
  }
  return {
    findings,
    documents,
    shown: divided.filter((parts) => !parts.some((part) => left.includes(part))).length,
    divided: divided.filter((parts) => parts.length > 1).length,
  };
};
