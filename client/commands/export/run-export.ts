// Exports a list to standard output or to a file: from its beginning, or from the last checkpoint of the file.
import { constants, existsSync, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError, print, ReaderLeft } from '../../../infra/command/output.ts';
import { terminalText } from '../../../shared/model/json.ts';
import { csvHeader } from '../../../shared/render/data/write-csv.ts';
import { isConversation, listKey, parameterOf, withQuery } from '../list-target.ts';
import { createProgress, expectedTotal, itemsText, type Progress } from '../progress.ts';
import { type ListItem, type ListPage, requestPage, textIn } from '../request.ts';
import type { CommandPorts } from '../run-command.ts';
import type { Service } from '../service.ts';
import type { ExportArguments, ExportFormat } from './arguments.ts';
import { type FilePosition, linesOf, readPosition } from './checkpoint.ts';
import { type CsvPosition, columnsOf, readCsvPosition, recordsOf, startsLikeCsv } from './csv-file.ts';
import {
  createdAtOf,
  createOldestPosts,
  type OldestPosts,
  type WalkedPage,
  type WalkStart,
  walkList,
} from './walk-list.ts';
import { isWrittenWhole, wholeListText } from './whole-list.ts';

interface Output {
  /** Resolves when the text is written, so that a slow reader slows the export down. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export const standardOutput = (): Output & { readonly isFile: boolean } => ({
  // NDJSON has escapes for what a terminal would obey, and CSV has none.
  write: (text) => print(process.stdout.isTTY ? terminalText(text) : text),
  close: async () => undefined,
  isFile: fstatSync(process.stdout.fd).isFile(),
});

const writeAt = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
};

/** Cuts the file off and continues there. A missing file is created. @param bytes the size to keep */
const fileOutput = async (name: string, bytes: number): Promise<Output> => {
  const file = await open(name, constants.O_RDWR | constants.O_CREAT);
  await file.truncate(bytes);
  let position = bytes;
  return {
    async write(text) {
      const content = Buffer.from(text);
      await writeAt(file, content, position);
      position += content.length;
    },
    close: () => file.close(),
  };
};

export interface ExportPorts extends CommandPorts {
  /** Not used if the export writes to a file. */
  createStandardOutput(): Output & { readonly isFile: boolean };
  /** The origin of the feeds that OPML names; undefined: no service has feeds, so OPML has links to X. */
  readonly origin: string | undefined;
}

/** @returns undefined if nothing is left to read */
const startOf = (
  { target, limit, file }: ExportArguments,
  position: FilePosition | undefined,
): WalkStart | undefined => {
  const { next, list, count = 0, lastCreatedAt } = position ?? {};
  if (list !== undefined && target !== undefined && listKey(list) !== listKey(target))
    throw new CommandError(
      `${file} has another list, ${withQuery(list, { cursor: undefined })}. Leave the list out to continue it.`,
    );
  if (next === null || count >= limit) return undefined;
  const first = next ?? target;
  if (first === undefined)
    throw new CommandError(`${file} has no checkpoint yet. Name its list, to start from the beginning.`);
  return { target: first, count, lastCreatedAt };
};

const millisecondsOf = (instant: string | undefined): number | undefined => {
  const milliseconds = Date.parse(instant ?? '');
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
};

/** Reports each warning once. An early end of a page is no loss, because the next page continues there. */
const createWarningReport = (progress: Progress): ((warnings: ListPage['warnings']) => void) => {
  const reported = new Set(['partial_page']);
  return (warnings) => {
    for (const { code, message } of warnings) {
      if (reported.has(code)) continue;
      reported.add(code);
      progress.say(`warning: ${message}`);
    }
  };
};

/** @returns the time and the id of an item, for people */
const placeOf = (item: ListItem): string =>
  [createdAtOf(item), textIn(item.value['id'])].filter((text) => text !== undefined && text !== '').join(', ');

const incompleteText = (oldest = 'its beginning'): string =>
  `The list is complete only back to ${oldest}: the source shows nothing older, although it has more. Try again later.`;

interface Walk extends WalkStart {
  readonly limit: number;
  readonly format: ExportFormat | undefined;
  /** The columns that the file has; undefined: it has none yet. */
  readonly header: readonly string[] | undefined;
  readonly oldestPosts: ReturnType<typeof createOldestPosts>;
  readonly service: Service;
  readonly output: Output;
  readonly progress: Progress;
}

const writeList = async (
  { limit, format, header, oldestPosts, service, output, progress, ...start }: Walk,
  { signal, sleep, origin }: ExportPorts,
): Promise<void> => {
  const reportWarnings = createWarningReport(progress);
  const list = withQuery(start.target, { cursor: undefined });
  const isWhole = isWrittenWhole(list, format);
  const collected: WalkedPage[] = [];
  let isFirst = true;
  const pages = walkList(start, {
    limit,
    oldestPosts,
    async requestPage(target) {
      const page = await requestPage(service, target, isFirst, { signal, sleep, onWait: progress.wait });
      isFirst = false;
      return page;
    },
    waitForSource(seconds) {
      progress.wait(seconds, 'The source shows no older posts, although it has some');
      return sleep(seconds, signal);
    },
  });
  const columns = format === 'csv' ? columnsOf(list, header) : undefined;
  let pendingHeader = columns && header === undefined ? csvHeader(columns) : '';
  /** The header is written with the first page, so that a list that cannot be read leaves no file behind. */
  const write = async (page: Pick<WalkedPage, 'items' | 'next'>): Promise<void> => {
    const text = pendingHeader + (columns ? recordsOf(page, list, columns) : linesOf(page, list));
    pendingHeader = '';
    if (text !== '') await output.write(text);
  };
  let oldest: string | undefined;
  for await (const page of pages) {
    const { items, warnings, isCut } = page;
    reportWarnings(warnings);
    if (isWhole) collected.push(page);
    else await write(page);
    const last = items.at(-1);
    progress.add(items.length, last && millisecondsOf(createdAtOf(last)));
    oldest = (last && placeOf(last)) ?? oldest;
    signal.throwIfAborted();
    if (isCut) throw new CommandError(incompleteText(oldest ?? start.lastCreatedAt));
  }
  if (!isWhole) return;
  await output.write(wholeListText(collected, list, format, origin));
  if (format === 'opml' && origin === undefined)
    progress.say(
      'The accounts are links to X. Set BASE_URL to a service, and the file has its feeds, for feed readers.',
    );
};

interface Resumed extends Partial<Pick<CsvPosition, 'header'>> {
  readonly file: string;
  readonly position: FilePosition;
  readonly format: ExportFormat | undefined;
}

/** @returns undefined if the file has no bytes */
const firstByteOf = async (file: string): Promise<number | undefined> => {
  if (!existsSync(file)) return undefined;
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0);
    return bytesRead === 0 ? undefined : buffer[0];
  } finally {
    await handle.close();
  }
};

/** The file says what it is. A new file has the format. */
const resume = async (file: string, format: ExportFormat | undefined, oldestPosts: OldestPosts): Promise<Resumed> => {
  const first = await firstByteOf(file);
  if (first === undefined || !(format === 'csv' || startsLikeCsv(first)))
    return { file, position: await readPosition(file, oldestPosts), format };
  const position = await readCsvPosition(file, oldestPosts);
  return { file, position, format: 'csv', header: position.header };
};

/** @throws CommandError, or the reason of the signal if it aborts */
export const runExport = async (given: ExportArguments, ports: ExportPorts): Promise<void> => {
  const { signal, report, isTerminal, now } = ports;
  const oldestPosts = createOldestPosts();
  const file = given.file === undefined ? undefined : resolve(ports.folder, given.file);
  const resumed = file === undefined ? undefined : await resume(file, given.format, oldestPosts);
  const start = startOf(given, resumed?.position);
  if (start === undefined) return report(`${itemsText(resumed?.position.count ?? 0)}, nothing is left to read\n`);
  if (resumed !== undefined && isConversation(start.target))
    throw new CommandError(
      `${given.file} has a part of a conversation, which only a whole export places. Export it again.`,
    );
  const service = await ports.openService();
  try {
    if (service.notice !== undefined) report(`${service.notice}\n`);
    const total = isTerminal
      ? await expectedTotal(start.target, service, signal).catch(() => undefined) // the list itself reports what is wrong
      : undefined;
    const progress = createProgress({
      write: report,
      isTerminal,
      now,
      count: start.count,
      total: Math.min(given.limit, total ?? Number.POSITIVE_INFINITY),
      since: millisecondsOf(parameterOf(start.target, 'since')),
    });
    const standardOutput = resumed === undefined ? ports.createStandardOutput() : undefined;
    const output = standardOutput ?? (await fileOutput(resumed?.file ?? '', resumed?.position.bytes ?? 0));
    const { format = given.format, header } = resumed ?? {};
    const canResume = !isWrittenWhole(start.target, format) && (standardOutput?.isFile ?? true);
    try {
      await writeList({ ...start, limit: given.limit, format, header, oldestPosts, service, output, progress }, ports);
      progress.say(`${itemsText(progress.count)}, done`);
    } catch (error) {
      if (progress.count > 0 && canResume && !(error instanceof ReaderLeft))
        progress.say(`${itemsText(progress.count)}. Continue with --resume ${given.file ?? 'FILE'}`);
      throw error;
    } finally {
      await output.close();
    }
  } finally {
    await service.close();
  }
};
