// Names the columns of posts: every member of a post in JSON. A member of an object has both names, such as in_reply_to_id.
// The first five are those that 4CAT requires of an imported file; the other exceptions are the figures, which have short names,
// and the account, whose columns begin with `author`, so that 4CAT can pseudonymize them.
// What no cell can hold is JSON. The lists beside it are separated by commas, for programs that look for URLs or hashtags.
// The order is a promise: a new column is the last one.
import { idOfQuote, isPost } from '../../model/conversation.ts';
import type { Media, Post } from '../../model/post.ts';
import type { TreePost } from '../../model/resources.ts';
import { accountColumns } from './account-columns.ts';
import type { CsvColumn, CsvValue } from './write-csv.ts';

/** A post, or in its place a tombstone. The source does not tell the id of each. */
type Entry = Post | { readonly id?: string | undefined; readonly unavailable: true; readonly reason: string };

export type PostColumn = CsvColumn<Entry>;

const column = (name: string, valueIn: (post: Post) => CsvValue): PostColumn => ({
  name,
  valueIn: (entry) => (isPost(entry) ? valueIn(entry) : undefined),
});

const member = (name: keyof Post & string): PostColumn => column(name, (post) => post[name]);

/** As JSON; an empty cell in place of an empty list. */
const list = (name: 'media' | 'links'): PostColumn =>
  column(name, ({ [name]: items }) => (items.length === 0 ? undefined : items));

/** Separated by commas. A comma in an entry is percent-encoded: only URLs have one. */
const joined = (name: string, textsOf: (post: Post) => readonly string[]): PostColumn =>
  column(
    name,
    (post) =>
      textsOf(post)
        .map((text) => text.replaceAll(',', '%2C'))
        .join() || undefined,
  );

const urlsOf = ({ media }: Post, isWanted: (type: Media['type']) => boolean): readonly string[] =>
  media.filter(({ type }) => isWanted(type)).map(({ url }) => url);

const figure = (name: keyof Post['metrics']): PostColumn => column(name, ({ metrics }) => metrics[name]);

/** Of the posts of a conversation alone. */
const inTree = (name: keyof Omit<TreePost, keyof Post>): PostColumn => ({
  name,
  valueIn: (entry) => (name in entry ? (entry as TreePost)[name] : undefined), // only a post of a tree has them
});

const authorOf = (entry: Entry): Post['author'] => (isPost(entry) ? entry.author : undefined);

export const POST_COLUMNS: readonly PostColumn[] = [
  { name: 'id', valueIn: ({ id }) => id },
  // 4CAT takes the id where there is no thread.
  { name: 'thread_id', valueIn: (entry) => (isPost(entry) ? entry.conversation_id : undefined) ?? entry.id },
  column('timestamp', (post) => post.created_at),
  column('body', (post) => post.text),
  column('author', ({ author }) => author?.handle),
  member('url'),
  member('conversation_id'),
  member('lang'),
  ...accountColumns('author', authorOf),
  // Python's csv.Sniffer, which 4CAT trusts, takes quotation marks as doubled only if it sees a cell such as this one.
  member('metrics'),
  figure('likes'),
  figure('reposts'),
  figure('replies'),
  figure('quotes'),
  figure('bookmarks'),
  figure('views'),
  column('in_reply_to_id', (post) => post.in_reply_to?.id),
  column('in_reply_to_handle', (post) => post.in_reply_to?.handle),
  column('in_reply_to_name', (post) => post.in_reply_to?.name),
  column('quote_id', ({ quote }) => idOfQuote(quote)),
  column('quote_handle', ({ quote }) => (isPost(quote) ? quote.author?.handle : undefined)),
  column('quote_reason', ({ quote }) => (quote !== undefined && 'reason' in quote ? quote.reason : undefined)),
  member('quote'),
  column('reposted_by_handle', (post) => post.reposted_by?.handle),
  member('reposted_by'),
  joined('hashtags', (post) => post.hashtags),
  joined('mentions', (post) => post.mentions),
  joined('cashtags', (post) => post.cashtags),
  joined('urls', (post) => post.links.map(({ url }) => url)),
  joined('images', (post) => urlsOf(post, (type) => type === 'photo')),
  joined('videos', (post) => urlsOf(post, (type) => type !== 'photo')),
  list('links'),
  list('media'),
  member('card'),
  member('poll'),
  column('article_title', (post) => post.article?.title),
  member('article'),
  column('community_note', (post) => post.community_note?.text),
  member('community'),
  member('broadcast'),
  member('translation'),
  member('styles'),
  member('decorations'),
  member('client'),
  member('sensitive'),
  { name: 'unavailable', valueIn: (entry) => ('unavailable' in entry ? entry.unavailable : undefined) },
  { name: 'reason', valueIn: (entry) => ('reason' in entry ? entry.reason : undefined) },
  inTree('depth'),
  inTree('replies_known'),
  inTree('replies_said'),
];
