// Lists the warnings in JSON bodies. A warning means that the answer is usable, but not complete.
import type { Warning } from '../model/resources.ts';
import { SAMPLE_SENTENCE } from './sample.ts';

interface WarningRow {
  readonly message: string;
  /** A later request can return no more, so the answer is cached as a complete one. @default false */
  readonly lasts?: true;
  /** A preferred provider did not answer, or a part could not be read. Other warnings describe the resource. @default false */
  readonly degrades?: true;
  /** Markdown needs no note: the document shows what the warning is about, or says it. @default false */
  readonly showsItself?: true;
}

/** The message of `timeline_incomplete` if the list ends early. */
export const TIMELINE_CUT =
  'The list ends early: the source did not show older posts, although it has some. Ask for them again later.';

/** The message of `article_previews` of a read that is no list. */
export const QUOTED_PREVIEW = 'An article of another post here is a preview: read that post for its full text.';

/** The message of `timeline_incomplete` if a cursor has no room for all posts that were read out of order. */
export const TIMELINE_LEFT_OUT =
  'Too many posts stand out of order at the source: some are left out. A timeline of fewer accounts has them.';

/** The message of `translation_unavailable` of a post that needs no translation. */
export const NOTHING_TO_TRANSLATE = 'The post has no translation: it is in this language already, or has no words.';

/** The message of `translation_unavailable` of a list. */
export const UNTRANSLATED_LIST =
  'The source has no translation of the posts of this page. The read of a single post can have one.';

/** The message of `media_unsupported` if nothing but a picture beside words is left out. */
export const FOREIGN_PICTURE =
  'The picture of a link, an article or a broadcast is of another host than X: it is not shown, and JSON has its address.';

/** Nothing else shows what these say. */
const NOTES: readonly string[] = [TIMELINE_CUT, TIMELINE_LEFT_OUT];

export const warningRows = {
  conversation_unavailable: {
    message: 'The conversation could not be read: replies are left out, and the thread may lack posts.',
    degrades: true,
  },
  thread_incomplete: {
    message:
      'The thread may lack posts: the source did not show all of it. The last post shown may go on with the rest.',
  },
  replies_unavailable: { message: 'The provider that answered does not list replies: none are listed.', lasts: true },
  more_replies: {
    message: 'The post has more replies than are shown. The list of its replies has the others.',
    lasts: true,
    showsItself: true,
  },
  replies_incomplete: {
    message: 'The source lists fewer replies than the post has: the list ends without the others.',
  },
  counts_unavailable: {
    message: 'The provider that answered knows likes and replies only; the other counts are null.',
    degrades: true,
    showsItself: true,
  },
  text_incomplete: {
    message: 'The provider that answered may have cut a long text. The post on X has all of it.',
    degrades: true,
  },
  article_incomplete: {
    message:
      'The article is not complete: the provider that answered knows its preview only, or it has a part that this service cannot show. The post on X has all of it.',
    degrades: true,
  },
  article_previews: {
    message: 'Articles in this list are previews: read the post of an article for its full text.',
    lasts: true,
  },
  translation_unavailable: {
    message: 'The post has no translation: the source did not translate it.',
  },
  media_unsupported: { message: 'Media that this service cannot show is left out. The post on X has it.', lasts: true },
  poll_uncertain: {
    message:
      'The provider that answered sorts options that are numbers and joins equal ones: the poll on X can have another order or more options.',
    lasts: true,
  },
  posts_protected: {
    message: 'The owner of this profile limits who can read its posts: none are listed.',
    lasts: true,
  },
  posts_unavailable: {
    message: 'The profile could be read, its posts could not: none are listed. Ask again later.',
    degrades: true,
  },
  posts_failed: { message: 'Some of the posts could not be read. Ask for them again later.', degrades: true },
  timeline_incomplete: {
    message: 'Some of the accounts could not be read: missing names them. The next page goes on with them.',
    degrades: true,
    showsItself: true,
  },
  timeline_stale: {
    message: 'The source shows old posts only, of every account: newer posts may be missing.',
  },
  users_partial: {
    message: 'The source suggests a few accounts for a search and does not list all of them.',
    lasts: true,
  },
  reposts_unavailable: {
    message: 'The provider that answered lists no reposts of the past: they are left out.',
    lasts: true,
  },
  recent_only: { message: 'The provider that answered searches the last seven days only.' },
  fallback_answered: {
    message: 'The preferred source did not answer; another one did, which may know less.',
    degrades: true,
    showsItself: true,
  },
  provider_skipped: {
    message: 'A source is not asked for the rest of the day (UTC); another one answered, which may know less.',
    showsItself: true,
  },
  partial_page: {
    message:
      'The page ends early, because the source gave too little in time or because more would be too large; next_cursor goes on where it ends.',
  },
  truncated: { message: 'The Markdown was cut to fit max_tokens, or the answer because all of it would be too large.' },
  pictures_omitted: {
    message: 'Some pictures are links: the file has no room for all, or X did not send them.',
    lasts: true,
    showsItself: true,
  },
  invisible_removed: {
    message: 'Invisible characters were left out of the Markdown; the text in JSON keeps them.',
    showsItself: true,
  },
  withheld: { message: 'The operator of this service withholds posts or accounts: they are left out.', lasts: true },
  image_unavailable: {
    message: 'Images that the call asks for are left out: they could not be read, or are marked as sensitive.',
    showsItself: true,
  },
  sample: { message: SAMPLE_SENTENCE, lasts: true, showsItself: true },
} as const satisfies Readonly<Record<string, WarningRow>>;

export type WarningCode = keyof typeof warningRows;

const table: ReadonlyMap<string, WarningRow> = /* @__PURE__ */ new Map(/* @__PURE__ */ Object.entries(warningRows));

/** @returns true if a later request can return more, so the answer is cached for a shorter time */
export const isTransient = ({ code }: Warning): boolean => table.get(code)?.lasts !== true;

/** @returns true if the answer has less than the service gives while all of its providers answer */
export const isDegraded = ({ code }: Warning): boolean => table.get(code)?.degrades === true;

/** @returns true if readers of Markdown and pages need a note: a link is whole without its picture */
export const needsNote = ({ code, message }: Warning): boolean =>
  message !== FOREIGN_PICTURE && (table.get(code)?.showsItself !== true || NOTES.includes(message));

/** @param message @default the message of the code */
export const warning = (code: WarningCode, message: string = warningRows[code].message): Warning => ({ code, message });

/** @returns the first warning of each code */
export const distinctWarnings = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.filter(({ code }, index) => warnings.findIndex((other) => other.code === code) === index);
