// Tests CSV: its syntax, that no cell is computed, and that every member of an item is in a column.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Post } from '../../../../shared/model/post.ts';
import { User } from '../../../../shared/model/user.ts';
import { ACCOUNT_COLUMNS } from '../../../../shared/render/data/account-columns.ts';
import { POST_COLUMNS } from '../../../../shared/render/data/post-columns.ts';
import {
  type CsvColumn,
  csvHeader,
  csvRecords,
  csvText,
  withoutFormula,
} from '../../../../shared/render/data/write-csv.ts';
import { nastyString } from '../../../generators/nasty-strings.ts';
import { accountOfRow, csvRows, parseCsv, postOfRow, withoutApostrophe } from '../../../support/csv.ts';
import { postOf } from '../../../support/post-models.ts';

const TEXT = [{ name: 'text', valueIn: (text: string) => text }];

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+47 55', "'+47 55"],
    ['-1', "'-1"],
    ['@ada hello', "'@ada hello"],
    ['\ttab', "'\ttab"],
    ['\rreturn', "'\rreturn"],
    ['\nline', "'\nline"],
    ['＝1+1', "'＝1+1"],
    ['  =1+1', "'  =1+1"],
    // LibreOffice drops NUL, and computes the rest.
    ['\0=1+1', "'\0=1+1"],
    ["'=1+1", "''=1+1"],
    ['a=1', 'a=1'],
    ["'tis", "'tis"],
    [' space', ' space'],
    ['#tag', '#tag'],
    ['', ''],
  ])('[lists 17] that begins like a formula begins with an apostrophe: %j is %j', (text, expected) => {
    expect(withoutFormula(text)).toBe(expected);
  });

  test('[lists 18] is what it was when a reader removes the apostrophe', () => {
    const begin = fc.string({ unit: fc.constantFrom("'", '=', '@', '\t', '\r', '\n', ' ', '\0', 'a', '＝', '\ufeff') });
    fc.assert(
      fc.property(fc.oneof(begin, nastyString), (text) => {
        expect(withoutApostrophe(withoutFormula(text))).toBe(text);
      }),
    );
  });

  test('[lists 17] is empty for null and undefined, and has quotation marks for texts only', () => {
    const values = [null, undefined, 1200, false, '', 'a "b", c', ['x'], { a: 1 }];
    const columns = values.map((value, index) => ({ name: `c${index}`, valueIn: () => value }));
    expect(csvText(columns, [0])).toBe(
      'c0,c1,c2,c3,c4,c5,c6,c7\r\n,,1200,false,"","a ""b"", c","[""x""]","{""a"":1}"\r\n',
    );
  });

  test('[lists 17] holds every text, and its record ends with CRLF', () => {
    fc.assert(
      fc.property(fc.array(nastyString), (texts) => {
        const text = csvText(TEXT, texts);
        expect(csvRows(text).map((row) => row['text'])).toEqual(texts);
        expect(text.startsWith('text\r\n')).toBe(true);
      }),
    );
  });
});

const user = {
  handle: 'ada',
  id: '1234567890123456789',
  name: '=HYPERLINK("https://x.example","Ada")',
  url: 'https://x.com/ada',
  bio: '@the sea, "mostly"\r\n-- and ;boats\t🚤',
  location: '+47 Bergen',
  website: 'https://ada.example/?a=1,2',
  avatar_url: 'https://pbs.twimg.com/a.jpg',
  banner_url: 'https://pbs.twimg.com/b',
  created_at: '2009-03-21T20:50:14Z',
  verified: true,
  verified_type: 'individual',
  verified_at: '2020-03-21T20:50:14Z',
  protected: false,
  about: { based_in: 'Norway', based_in_accurate: false, handle_changes: 2 },
  metrics: { followers: 3, following: 0, posts: 12, likes: 1, media: null },
} as const satisfies User;

const unread = { id: '3', unavailable: true, reason: 'deleted' } as const;

const post = {
  ...postOf({ text: '=1+1\0 "a", b;c\r\nd' }),
  id: '9223372036854775807',
  lang: 'nb',
  author: user,
  styles: [{ type: 'bold', start: 0, end: 1 }],
  decorations: [{ type: 'underline', start: 0, end: 1 }],
  translation: { text: '@x', source_lang: 'nb' },
  media: [
    { type: 'photo', url: 'https://pbs.twimg.com/media/a,b.jpg', alt_text: '=cmd' },
    { type: 'video', url: 'https://video.twimg.com/v.mp4', variants: [{ url: 'https://video.twimg.com/v.mp4' }] },
  ],
  poll: { choices: [{ label: '=1', votes: 1, percentage: 100 }], total_votes: 1 },
  quote: { ...postOf({ id: '2', quote: unread }), author: user },
  article: { title: '-1', blocks: [{ type: 'divider' }] },
  community_note: { text: '+note' },
  card: { url: 'https://a.example', title: '@card' },
  broadcast: { url: 'https://x.com/i/broadcasts/1' },
  community: { id: '7', name: '=x' },
  client: 'Web',
  in_reply_to: { handle: 'bo', name: '@bo', id: '19' },
  reposted_by: user,
  conversation_id: '18',
  sensitive: true,
  mentions: ['bo', 'eva'],
  hashtags: ['sea', '海'],
  cashtags: ['X'],
  links: [{ url: 'https://a.example/?q=1,2', start: 0, end: 4 }],
} satisfies Post;

test('[lists 18] every member of a post and of an account is in a column, and can be read from it', () => {
  expect(Object.keys(post).toSorted()).toEqual(Object.keys(Post.shape).toSorted());
  expect(Object.keys(user).toSorted()).toEqual(Object.keys(User.shape).toSorted());
  const plain = postOf();
  expect(csvRows(csvText(POST_COLUMNS, [post, plain, unread])).map((row) => postOfRow(row))).toEqual([
    post,
    plain,
    unread,
  ]);
  const { metrics, ...others } = user;
  expect(csvRows(csvText(ACCOUNT_COLUMNS, [user, others])).map((row) => accountOfRow(row))).toEqual([user, others]);
});

test('[lists 17] the first columns of posts are those that 4CAT requires, and no two columns have one name', () => {
  const [header = []] = parseCsv(csvHeader(POST_COLUMNS));
  expect(header.slice(0, 5)).toEqual(['id', 'thread_id', 'timestamp', 'body', 'author']);
  for (const columns of [POST_COLUMNS, ACCOUNT_COLUMNS])
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
});

test('[lists 17] the sniffer of Python finds in each post that quotation marks are doubled', () => {
  // Lib/csv.py, _guess_quote_and_delimiter: without a match it reads them as single.
  const doubled = /(?:,|^)\W*"[^,\n]*"[^,\n]*"\W*(?:,|$)/m;
  const quoting = postOf({ text: 'He said "Hello, world" yesterday, ok' });
  const columns = POST_COLUMNS.filter(({ name }) => name !== 'metrics');
  expect(csvText(POST_COLUMNS, [quoting])).toMatch(doubled);
  expect(csvText(columns, [quoting])).not.toMatch(doubled);
});

test('[lists 17] a post whose conversation is not known is a thread of its own', () => {
  const [row, tombstone] = csvRows(csvText(POST_COLUMNS, [postOf({ in_reply_to: { id: '7' } }), unread]));
  expect(row).toMatchObject({ id: '20', thread_id: '20', conversation_id: '', in_reply_to_id: '7' });
  expect(tombstone).toMatchObject({ id: '3', thread_id: '3', body: '', unavailable: 'true', reason: 'deleted' });
});

test('[lists 17] the lists for other programs have one URL for each comma', () => {
  const [row = {}] = csvRows(csvText(POST_COLUMNS, [post]));
  expect(row).toMatchObject({
    images: 'https://pbs.twimg.com/media/a%2Cb.jpg',
    videos: 'https://video.twimg.com/v.mp4',
    urls: 'https://a.example/?q=1%2C2',
    hashtags: 'sea,海',
    quote_id: '2',
    quote_handle: 'ada',
    quote_reason: '',
    reposted_by_handle: 'ada',
    article_title: '-1',
  });
  const quotes = [
    unread,
    { unavailable: true, reason: 'withheld' },
    { id: '5', url: 'https://x.com/i/status/5' },
  ] as const;
  expect(
    csvRows(
      csvText(
        POST_COLUMNS,
        quotes.map((quote) => postOf({ quote })),
      ),
    ),
  ).toMatchObject([
    { quote_id: '3', quote_reason: 'deleted' },
    { quote_id: '', quote_reason: 'withheld' },
    { quote_id: '5', quote_reason: '' },
  ]);
});

test('[lists 17] columns of another table can follow', () => {
  interface Placed extends Post {
    readonly depth: number;
  }
  const entries: readonly Placed[] = [{ ...postOf(), depth: 0 }];
  const columns: readonly CsvColumn<Placed>[] = [...POST_COLUMNS, { name: 'depth', valueIn: ({ depth }) => depth }];
  expect(csvRecords(columns, entries)).toMatch(/,0\r\n$/);
});
