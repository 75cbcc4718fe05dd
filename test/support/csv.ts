// Reads CSV as RFC 4180 section 2 defines it, and makes the items of JSON from it again. Shares no code with the writer.
import { expect } from 'vitest';

/** @returns the records, each with its cells @throws Error unless the text is a table in which each record ends with CRLF */
export const parseCsv = (text: string): readonly (readonly string[])[] => {
  const records: string[][] = [];
  let cells: string[] = [];
  const cell = /"([^"]*(?:""[^"]*)*)"|([^",\r\n]*)/y;
  for (let at = 0; at < text.length; ) {
    cell.lastIndex = at;
    const [whole, quoted, bare = ''] = cell.exec(text) ?? [''];
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      records.push(cells);
      cells = [];
      at += 2;
    } else throw new Error(`no separator at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  }
  if (cells.length > 0) throw new Error('the last record has no line end');
  const [header = []] = records;
  for (const record of records) expect(record).toHaveLength(header.length);
  return records;
};

/** The text before the writer put an apostrophe before it. Python has the same expression in .ci/data. */
export const withoutApostrophe = (cell: string): string =>
  cell.replace(/^'(?='*[\t\r\n]|[\s'\0-\x1f\x7f-\x9f]*[=+\-@＝＋－＠])/, '');

export type CsvRow = Readonly<Record<string, string>>;

/** @returns the rows by the names of the header, with the texts as they were */
export const csvRows = (text: string): readonly CsvRow[] => {
  const [header = [], ...records] = parseCsv(text);
  expect(new Set(header).size).toBe(header.length);
  return records.map((record) =>
    Object.fromEntries(header.map((name, index) => [name, withoutApostrophe(record[index] ?? '')])),
  );
};

type Members = Record<string, unknown>;

const NUMBERS = new Set(['followers', 'following', 'posts', 'likes', 'media']);
const BOOLEANS = new Set(['verified', 'protected']);

const present = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const numberOf = (cell: string | undefined): number | null => (cell ? Number(cell) : null);
const booleanOf = (cell: string | undefined): boolean | undefined => (cell ? cell === 'true' : undefined);
const jsonOf = (cell: string | undefined): unknown => (cell ? JSON.parse(cell) : undefined);
const listOf = (cell: string | undefined): readonly string[] => (cell ? cell.split(',') : []);
const textOf = (cell: string | undefined): string | undefined => cell || undefined;

const ACCOUNT = [
  ...['id', 'handle', 'name', 'url', 'bio', 'location', 'website', 'avatar_url', 'banner_url', 'created_at'],
  ...['verified', 'verified_type', 'verified_at', 'protected', 'about'],
];

/** Empty cells are also those of unknown figures. */
export const accountOfRow = (row: CsvRow, nameOf = (name: string) => name): Members => {
  const figures = Object.fromEntries([...NUMBERS].map((name) => [name, numberOf(row[nameOf(name)])]));
  const members = ACCOUNT.map((name): [string, unknown] => {
    const value = row[nameOf(name)];
    if (name === 'about') return [name, jsonOf(value)];
    // The name is a member of every account.
    if (name === 'name') return [name, value];
    return [name, BOOLEANS.has(name) ? booleanOf(value) : textOf(value)];
  });
  const hasFigures = Object.values(figures).some((figure) => figure !== null);
  return present({ ...Object.fromEntries(members), metrics: hasFigures ? figures : undefined });
};

const JSON_MEMBERS = [
  ...['quote', 'reposted_by', 'card', 'poll', 'article', 'community', 'broadcast', 'translation'],
  ...['styles', 'decorations'],
];

/** The item of JSON. Absent, empty and unknown are one in a cell: metrics of an account that are all unknown are absent. */
export const postOfRow = (row: CsvRow): Members => {
  const { id } = row;
  if (row['unavailable']) return { id, unavailable: true, reason: row['reason'] };
  const { author } = row;
  const inReplyTo = present({
    handle: textOf(row['in_reply_to_handle']),
    name: textOf(row['in_reply_to_name']),
    id: textOf(row['in_reply_to_id']),
  });
  const metrics = ['likes', 'reposts', 'replies', 'quotes', 'bookmarks', 'views'];
  return present({
    id,
    url: row['url'],
    text: row['body'],
    created_at: textOf(row['timestamp']),
    lang: textOf(row['lang']),
    author: author ? accountOfRow(row, (name) => (name === 'handle' ? 'author' : `author_${name}`)) : undefined,
    metrics: Object.fromEntries(metrics.map((name) => [name, numberOf(row[name])])),
    media: jsonOf(row['media']) ?? [],
    links: jsonOf(row['links']) ?? [],
    ...Object.fromEntries(JSON_MEMBERS.map((name) => [name, jsonOf(row[name])])),
    community_note: row['community_note'] ? { text: row['community_note'] } : undefined,
    client: textOf(row['client']),
    in_reply_to: Object.keys(inReplyTo).length > 0 ? inReplyTo : undefined,
    conversation_id: textOf(row['conversation_id']),
    sensitive: booleanOf(row['sensitive']),
    mentions: listOf(row['mentions']),
    hashtags: listOf(row['hashtags']),
    cashtags: listOf(row['cashtags']),
  });
};
