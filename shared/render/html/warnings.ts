// Tells readers of a page what is missing in it, and lets them ask again if that may help.
import {
  FOREIGN_PICTURE,
  NOTHING_TO_TRANSLATE,
  TIMELINE_CUT,
  TIMELINE_LEFT_OUT,
  UNTRANSLATED_LIST,
  type WarningCode,
} from '../../contract/warnings.ts';
import type { Warning } from '../../model/resources.ts';
import { innerLinkHtml } from './elements.ts';
import { type Html, html } from './html.ts';

interface ReaderWarning {
  readonly sentence: string;
  /** A later request can return more. */
  readonly mayPass: boolean;
}

const lasts = (sentence: string): ReaderWarning => ({ sentence, mayPass: false });
const passes = (sentence: string): ReaderWarning => ({ sentence, mayPass: true });

/** Undefined: a page lacks nothing because of it. */
const readerWarnings: Readonly<Record<WarningCode, ReaderWarning | undefined>> = {
  conversation_unavailable: passes(
    'The conversation could not be read just now: replies are left out, and the thread may lack posts.',
  ),
  thread_incomplete: passes('The thread may go on: X did not show all of it.'),
  replies_unavailable: lasts('Replies cannot be read just now: none are listed.'),
  // The heading of the replies counts them and links to all.
  more_replies: undefined,
  replies_incomplete: passes('Fewer replies are listed than X counts: the list ends without the others.'),
  counts_unavailable: passes('Only likes and replies could be counted: the other figures are left out.'),
  text_incomplete: passes('A long text may end early. The post on X has all of it.'),
  article_incomplete: passes('A part of the article could not be read. The post on X has all of it.'),
  article_previews: lasts('Articles are shown by their first words. Follow the title of one to read it.'),
  translation_unavailable: lasts('This post could not be translated just now.'),
  media_unsupported: lasts('A part of the post cannot be shown here. The post on X has it.'),
  poll_uncertain: lasts('The poll on X can have its options in another order, or more of them.'),
  posts_protected: lasts('Only followers can read these posts.'),
  posts_unavailable: passes('The posts could not be read just now.'),
  posts_failed: passes('Some of the posts could not be read just now.'),
  timeline_incomplete: passes('Some of the accounts could not be read just now. The next page goes on with them.'),
  timeline_stale: passes('X shows old posts only just now: newer ones may be missing.'),
  users_partial: lasts('A search suggests a few accounts and does not list all of them.'),
  reposts_unavailable: lasts('Reposts of the past could not be listed.'),
  recent_only: passes('Only the last seven days could be searched.'),
  fallback_answered: undefined,
  provider_skipped: undefined,
  partial_page: passes('The page ends early. The next page continues it.'),
  truncated: passes('The page was cut, because all of it would be too large.'),
  pictures_omitted: lasts('Some pictures are links: there is no room for all, or X did not send them.'),
  invisible_removed: undefined,
  withheld: lasts('The operator of this service withholds some of them.'),
  // Only tools give images.
  image_unavailable: undefined,
  // The bar of the page says it.
  sample: undefined,
};

const readerMessages: ReadonlyMap<string, ReaderWarning | undefined> = new Map([
  // The link is whole without its picture.
  [FOREIGN_PICTURE, undefined],
  [TIMELINE_CUT, passes('The list ends early: X did not show older posts just now, although it has some.')],
  [NOTHING_TO_TRANSLATE, lasts('There is nothing to translate: the post is in this language already.')],
  [UNTRANSLATED_LIST, lasts('X has no translation of these posts. One that you open may have one.')],
  [TIMELINE_LEFT_OUT, lasts('Too many posts stand out of order on X: some are left out. Ask for fewer accounts.')],
]);

const table: ReadonlyMap<string, ReaderWarning | undefined> = new Map(Object.entries(readerWarnings));

/** @param path of the page, for the link that asks again @returns one note per warning that matters to readers */
export const warningsHtml = (warnings: readonly Warning[], path: string | undefined): Html =>
  html`${warnings.flatMap(({ code, message }) => {
    const warning = readerMessages.has(message) ? readerMessages.get(message) : table.get(code);
    if (warning === undefined) return [];
    const again = warning.mayPass && path !== undefined && html` ${innerLinkHtml(path, 'Ask again')}`;
    return [html`<p class="note">${warning.sentence}${again}</p>`];
  })}`;
