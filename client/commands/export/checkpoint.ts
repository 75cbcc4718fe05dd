// Writes and finds checkpoints. The last item of each page has the additional member `checkpoint`: the target of the
// next page, or null at the end of the list. At the end it also has `checkpoint_list`, which names the list. Item and
// checkpoint are one line, so a file that was broken off at any byte has both or neither. What follows the last
// checkpoint is read again.
import { existsSync } from 'node:fs';
import { CommandError } from '../../../infra/command/output.ts';
import { MAX_LIMIT } from '../../../shared/contract/parameters.ts';
import { type JsonRecord, parseJson } from '../../../shared/model/json.ts';
import { LINE_FEED, linesIn } from '../list-file.ts';
import { isListTarget } from '../list-target.ts';
import { parseItem } from '../request.ts';
import type { OldestPosts, WalkedPage } from './walk-list.ts';

export const CHECKPOINT = 'checkpoint';
export const CHECKPOINT_LIST = 'checkpoint_list';

/** @returns the lines of a page; empty for a page without items, which has no checkpoint */
export const linesOf = ({ items, next }: Pick<WalkedPage, 'items' | 'next'>, list: string): string => {
  const members = next === undefined ? { [CHECKPOINT]: null, [CHECKPOINT_LIST]: list } : { [CHECKPOINT]: next };
  const checkpoint = `,${JSON.stringify(members).slice(1)}`;
  return items
    .map(({ line }, index) => (index === items.length - 1 ? `${line.slice(0, -1)}${checkpoint}\n` : `${line}\n`))
    .join('');
};

export interface FilePosition {
  /** The size of the file up to the last checkpoint. */
  readonly bytes: number;
  /** The number of items up to the last checkpoint. */
  readonly count: number;
  /** The target of the next page; null: the list has ended; undefined: the file has no checkpoint. */
  readonly next: string | null | undefined;
  /** A target that names the list, also after its end; undefined: an export before 1.1 read its only page. */
  readonly list: string | undefined;
  readonly lastCreatedAt: string | undefined;
}

const NO_POSITION: FilePosition = {
  bytes: 0,
  count: 0,
  next: undefined,
  list: undefined,
  lastCreatedAt: undefined,
};

/** The API key is sent to the target of a checkpoint, and any program can have written the file. */
const isTarget = (value: unknown): value is string => typeof value === 'string' && isListTarget(value);

/** What an item of a file says of its place. */
interface PlacedItem {
  readonly id: string;
  /** Undefined: the item has no checkpoint. */
  readonly next: unknown;
  readonly list: unknown;
  readonly createdAt: unknown;
}

interface PositionReader {
  /** Up to the last checkpoint. */
  position(): FilePosition;
  /** @param bytes the size of the file up to the end of the item @returns false if the item is not of an export */
  add(item: PlacedItem, bytes: number): boolean;
}

/** @param oldestPosts receives the posts up to the last checkpoint */
export const createPositionReader = (oldestPosts: OldestPosts): PositionReader => {
  let position = NO_POSITION;
  let pending: string[] = [];
  return {
    position: () => position,
    add({ id, next, list, createdAt }, bytes) {
      pending.push(id);
      // Each page has a checkpoint. A file of something else must not be written again.
      if (pending.length > MAX_LIMIT) return false;
      if (next === undefined) return true;
      if (!(isTarget(next) || next === null) || !(isTarget(list) || list === undefined)) return false;
      for (const each of pending) oldestPosts.add(each);
      position = {
        bytes,
        count: position.count + pending.length,
        next,
        list: next ?? list ?? position.list,
        lastCreatedAt: typeof createdAt === 'string' ? createdAt : undefined,
      };
      pending = [];
      return true;
    },
  };
};

const itemIn = (line: Buffer): JsonRecord | undefined =>
  line.at(-1) === LINE_FEED ? parseItem(line.toString()) : undefined;

const OPEN_BRACE = 0x7b;

/**
 * A broken line starts as an item, or has the zeros that some file systems leave after a power failure. JSON that is whole and
 * no item is of another program.
 */
const isBrokenOff = (line: Buffer): boolean => {
  if (line[0] !== OPEN_BRACE || line.at(-1) === LINE_FEED) return line[0] === 0;
  const text = line.toString();
  return parseJson(text) === undefined || parseItem(text) !== undefined;
};

/**
 * Reads a file up to its last checkpoint. A missing file has no items.
 *
 * @param oldestPosts receives the posts up to the last checkpoint
 * @throws CommandError if the file is not of an export
 */
export const readPosition = async (file: string, oldestPosts: OldestPosts): Promise<FilePosition> => {
  const reader = createPositionReader(oldestPosts);
  if (!existsSync(file)) return reader.position();
  let bytes = 0;
  let number = 0;
  let wrongLine: number | undefined;
  const reject = (line: number): never => {
    throw new CommandError(`Line ${line} of ${file} is no item of an export. The file is unchanged.`);
  };
  for await (const line of linesIn(file)) {
    number += 1;
    bytes += line.length;
    const item = wrongLine === undefined ? itemIn(line) : undefined;
    if (item === undefined) {
      // Only the end of the file can be broken off.
      if (wrongLine !== undefined || !isBrokenOff(line)) reject(wrongLine ?? number);
      wrongLine = number;
      continue;
    }
    const { id = '', [CHECKPOINT]: next, [CHECKPOINT_LIST]: list, created_at: createdAt } = item;
    if (!reader.add({ id: String(id), next, list, createdAt }, bytes)) reject(number);
  }
  return reader.position();
};
