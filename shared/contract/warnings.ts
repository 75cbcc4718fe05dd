// Lists the warnings in JSON bodies. A warning means that the answer is usable, but not complete.
import type { Warning } from '../model/resources.ts';
import { SAMPLE_SENTENCE } from './sample.ts';

export const warningMessages = {
  conversation_unavailable: 'The conversation could not be read: replies are left out, and the thread may lack posts.',
  thread_incomplete:
    'The thread may lack posts: the source did not show all of it. The last post shown may go on with the rest.',
  replies_unavailable: 'The provider that answered does not list replies: none are listed.',
  more_replies: 'The post has more replies than are shown. The list of its replies has the others.',
  replies_incomplete: 'The source lists fewer replies than the post has: the list ends without the others.',
  counts_unavailable: 'The provider that answered knows likes and replies only; the other counts are null.',
  text_incomplete: 'The provider that answered cuts long posts: the text ends early.',
  article_incomplete:
    'The article is not complete: the provider that answered knows its preview only, or it has a part that this service cannot show. The post on X has all of it.',
  article_previews: 'Articles in this list are previews: read the post of an article for its full text.',
  translation_unavailable:
    'The post has no translation: it is in this language already, or the source did not translate it.',
  media_unsupported: 'Media that this service cannot show is left out. The post on X has it.',
  poll_uncertain:
    'The provider that answered sorts options that are numbers and joins equal ones: the poll on X can have another order or more options.',
  posts_protected: 'The owner of this profile limits who can read its posts: none are listed.',
  posts_unavailable: 'The profile could be read, its posts could not: none are listed. Ask again later.',
  posts_failed: 'Some of the posts could not be read. Ask for them again later.',
  timeline_incomplete: 'Some of the accounts could not be read: missing names them. The next page goes on with them.',
  users_partial: 'The source suggests a few accounts for a search and does not list all of them.',
  reposts_unavailable: 'The provider that answered lists no reposts of the past: they are left out.',
  recent_only: 'The provider that answered searches the last seven days only.',
  fallback_answered: 'The preferred source did not answer; another one did, which may know less.',
  provider_skipped: 'A source is not asked for the rest of the day (UTC); another one answered, which may know less.',
  partial_page:
    'The page ends early, because the source gave too little in time or because more would be too large; next_cursor goes on where it ends.',
  truncated: 'The Markdown was cut to fit max_tokens, or the answer because all of it would be too large.',
  pictures_omitted: 'Some pictures are links: the file has no room for all, or X did not send them.',
  invisible_removed: 'Invisible characters were left out of the Markdown; the text in JSON keeps them.',
  withheld: 'The operator of this service withholds posts or accounts: they are left out.',
  image_unavailable: 'Images that the call asks for are left out: they could not be read, or are marked as sensitive.',
  sample: SAMPLE_SENTENCE,
} as const;

export type WarningCode = keyof typeof warningMessages;

const PERMANENT_WARNINGS: readonly string[] = [
  'article_previews',
  'media_unsupported',
  'more_replies',
  'pictures_omitted',
  'poll_uncertain',
  'posts_protected',
  'replies_unavailable',
  'reposts_unavailable',
  'sample',
  'users_partial',
  'withheld',
] satisfies WarningCode[];

/** @returns true if a later request can return more, so the answer is cached for a shorter time */
export const isTransient = ({ code }: Warning): boolean => !PERMANENT_WARNINGS.includes(code);

/** These say that a preferred provider did not answer, or that a part could not be read. Others describe the resource. */
const DEGRADED_WARNINGS: readonly string[] = [
  'article_incomplete',
  'conversation_unavailable',
  'counts_unavailable',
  'fallback_answered',
  'posts_failed',
  'posts_unavailable',
  'text_incomplete',
  'timeline_incomplete',
] satisfies WarningCode[];

/** @returns true if the answer has less than the service gives while all of its providers answer */
export const isDegraded = ({ code }: Warning): boolean => DEGRADED_WARNINGS.includes(code);

/** @param message @default the message of the code */
export const warning = (code: WarningCode, message: string = warningMessages[code]): Warning => ({ code, message });

/** @returns the first warning of each code */
export const distinctWarnings = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.filter(({ code }, index) => warnings.findIndex((other) => other.code === code) === index);
