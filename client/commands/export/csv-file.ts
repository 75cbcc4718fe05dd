// Writes and reads exports as CSV: the columns of `format=csv`, and two columns for checkpoints, which checkpoint.ts explains.
// The header is written once. A record is whole or broken off, as a line of NDJSON is.
import { CommandError } from '../../../infra/command/output.ts';
import type { JsonRecord } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import { ACCOUNT_COLUMNS } from '../../../shared/render/data/account-columns.ts';
import { POST_COLUMNS } from '../../../shared/render/data/post-columns.ts';
import { type CsvColumn, type CsvValue, csvHeader, csvRecords } from '../../../shared/render/data/write-csv.ts';
import { linesIn } from '../list-file.ts';
import { hasAccounts } from '../list-target.ts';
import { CHECKPOINT, CHECKPOINT_LIST, createPositionReader, type FilePosition } from './checkpoint.ts';
import type { OldestPosts, WalkedPage } from './walk-list.ts';

const LISTS = ['media', 'links', 'mentions', 'hashtags', 'cashtags'];

/** An older or a newer service can leave members out that every post has now. */
const withLists = (value: JsonRecord): JsonRecord => ({
  metrics: {},
  ...value,
  ...Object.fromEntries(LISTS.map((name) => [name, Array.isArray(value[name]) ? value[name] : []])),
});

type ItemColumn = CsvColumn<JsonRecord>;

/** The service wrote the items by the types of the columns. */
const postColumns: readonly ItemColumn[] = POST_COLUMNS.map(({ name, valueIn }) => ({
  name,
  valueIn: (item): CsvValue => valueIn(withLists(item) as unknown as Post), // the columns read nothing else
}));
const accountColumns: readonly ItemColumn[] = ACCOUNT_COLUMNS.map(({ name, valueIn }) => ({
  name,
  valueIn: (item): CsvValue => valueIn(item as unknown as User), // the columns read nothing else
}));

/** Of the last item of a page only. */
const checkpointColumns: readonly ItemColumn[] = [CHECKPOINT, CHECKPOINT_LIST].map((name) => ({
  name,
  valueIn: (item): CsvValue => (typeof item[name] === 'string' ? item[name] : undefined),
}));

const columnsFor = (items: readonly ItemColumn[]): readonly ItemColumn[] => [...items, ...checkpointColumns];

const TABLES = [columnsFor(postColumns), columnsFor(accountColumns)] as const;
const HEADERS = TABLES.map((columns) => csvHeader(columns));

/** @param first byte of a file @returns true if an export as CSV starts with it: each header has an id first */
export const startsLikeCsv = (first: number | undefined): boolean =>
  HEADERS.some((header) => header.charCodeAt(0) === first);

/** @returns the columns of a list; those of an earlier version if the file has them */
export const columnsOf = (target: string, header: readonly string[] | undefined): readonly ItemColumn[] => {
  const columns = TABLES[hasAccounts(target) ? 1 : 0];
  return header === undefined ? columns : columns.filter(({ name }) => header.includes(name));
};

/** @returns the records of a page; empty for a page without items, which has no checkpoint */
export const recordsOf = (
  { items, next }: Pick<WalkedPage, 'items' | 'next'>,
  list: string,
  columns: readonly ItemColumn[],
): string => {
  const checkpoint = next === undefined ? { [CHECKPOINT_LIST]: list } : { [CHECKPOINT]: next };
  return csvRecords(
    columns,
    items.map(({ value }, index) => (index === items.length - 1 ? { ...value, ...checkpoint } : value)),
  );
};

const QUOTE = 0x22;

const quotesIn = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) count += 1;
  return count;
};

/** Yields the records with their line ends: within a cell, the number of quotation marks is odd. Memory: one record. */
async function* recordsIn(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let isInside = false;
  for await (const line of linesIn(file)) {
    parts.push(line);
    if (quotesIn(line) % 2 === 1) isInside = !isInside;
    if (isInside) continue;
    yield Buffer.concat(parts);
    parts = [];
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/gy;

/** @returns undefined if the record is not whole */
const cellsIn = (record: Buffer): readonly string[] | undefined => {
  const text = record.toString();
  if (!text.endsWith('\r\n')) return undefined;
  const cells: string[] = [];
  let end = 0;
  const content = text.slice(0, -2);
  for (const [whole, quoted, bare = '', separator] of content.matchAll(CELL)) {
    cells.push(quoted?.replaceAll('""', '"') ?? bare);
    end += whole.length;
    if (separator === '') break;
  }
  return end === content.length ? cells : undefined;
};

/** The columns in their order. An earlier version has fewer. */
const isHeader = (names: readonly string[]): boolean =>
  TABLES.some(
    (columns) =>
      columns
        .filter(({ name }) => names.includes(name))
        .map(({ name }) => name)
        .join() === names.join(),
  ) && [CHECKPOINT, CHECKPOINT_LIST].every((name) => names.includes(name));

/** A record starts with an id, or without one if X does not tell it. Some file systems leave zeros after a power failure. */
const STARTS = [QUOTE, 0x2c, 0];

export interface CsvPosition extends FilePosition {
  /** Undefined: the file has no header. */
  readonly header: readonly string[] | undefined;
}

/**
 * As readPosition in checkpoint.ts, for CSV.
 *
 * @throws CommandError if the file is not of an export as CSV
 */
export const readCsvPosition = async (file: string, oldestPosts: OldestPosts): Promise<CsvPosition> => {
  const reader = createPositionReader(oldestPosts);
  let header: readonly string[] | undefined;
  let bytes = 0;
  let isEnd = false;
  const reject = (): never => {
    throw new CommandError(
      `A record after ${bytes} bytes of ${file} is not of an export as CSV. The file is unchanged.`,
    );
  };
  for await (const record of recordsIn(file)) {
    // Only the end of the file can be broken off.
    if (isEnd) reject();
    const cells = cellsIn(record);
    if (cells === undefined) {
      const isBroken =
        header === undefined
          ? record[0] === 0 || HEADERS.some((each) => each.startsWith(record.toString()))
          : STARTS.includes(record[0] ?? 0);
      if (!isBroken) reject();
      isEnd = true;
      continue;
    }
    if (header === undefined) {
      if (!isHeader(cells)) reject();
      header = cells;
      bytes += record.length;
      continue;
    }
    const row = new Map(header.map((name, index) => [name, cells[index]]));
    if (cells.length !== header.length || !(row.get('id') || row.get('handle'))) reject();
    const list = row.get(CHECKPOINT_LIST) || undefined;
    const item = {
      id: row.get('id') ?? '',
      next: row.get(CHECKPOINT) || (list && null),
      list,
      createdAt: row.get('timestamp') || undefined,
    };
    if (!reader.add(item, bytes + record.length)) reject();
    bytes += record.length;
  }
  const position = reader.position();
  return { ...position, header: position.bytes > 0 ? header : undefined };
};
