// Saves posts as notes, one after the other: first its pictures and videos, then its other formats, then the note.
import { resolve } from 'node:path';
import { CommandError } from '../../../infra/command/output.ts';
import { readPictureOrigins } from '../../../shared/composition/pictures.ts';
import { mediaTypes } from '../../../shared/contract/media-types.ts';
import { versionedPath } from '../../../shared/contract/operations.ts';
import { postUrl } from '../../../shared/model/handle.ts';
import { errorMessage } from '../../../shared/model/json.ts';
import { checkListFile, listLines } from '../list-file.ts';
import { withQuery } from '../list-target.ts';
import { createProgress } from '../progress.ts';
import { type Patience, parseItem, persist, RequestError, send, type WaitBound } from '../request.ts';
import type { CommandPorts } from '../run-command.ts';
import { type ExtraFormat, idOfPost, type SaveArguments } from './arguments.ts';
import { openSaveFolder, type SavedName } from './save-folder.ts';
import {
  createDownloader,
  linkFiles,
  linkFilesOfPage,
  NO_MEDIA,
  NO_WAITS,
  type SavedMedia,
  saveMedia,
} from './save-media.ts';
import { createSaveReport, type Failure } from './save-report.ts';

const NOTE = 'md';

const NDJSON_END = /^\{"next_cursor":/;

/** Reads only the front matter, which third parties cannot end. */
const nameIn = (note: string, id: string): SavedName => {
  const [head = ''] = note.slice(0, 4000).split('\n---\n', 1);
  return {
    handle: /^handle: "(\w{1,30})"$/m.exec(head)?.[1] ?? 'post',
    id: /^id: "([1-9][0-9]{0,18})"$/m.exec(head)?.[1] ?? id,
  };
};

/** A post to save, or a line of the list that names none. */
interface Wanted {
  readonly post: string | CommandError;
  /** Names the line of the list, for people; empty: the command names the post. */
  readonly place: string;
}

async function* wantedPosts(
  { ids, from }: Pick<SaveArguments, 'ids' | 'from'>,
  folder: string,
  origin: string | undefined,
): AsyncGenerator<Wanted> {
  for (const post of ids) yield { post, place: '' };
  if (from === undefined) return;
  for await (const { text, number, isLast } of listLines(resolve(folder, from))) {
    const item = parseItem(text);
    // The last line of an export that was broken off.
    if (item === undefined && text.startsWith('{') && isLast) continue;
    // The last line of NDJSON says where the list goes on.
    if (item === undefined && NDJSON_END.test(text)) continue;
    const place = ` (line ${number} of ${from})`;
    try {
      yield { post: idOfPost(String(item === undefined ? text : (item['url'] ?? item['id'])), origin), place };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      yield { post: error, place };
    }
  }
}

const HOW_TO_GO_ON =
  'Run the same command again: it tries that post again, goes on with the others, and skips what is saved. To leave a post out, put # before its line in the list.';

const reasonOf = (error: Error): string => error.message.split('\n', 1)[0] ?? '';

/** How long one post or file is waited for. The posts after it can be read in that time. */
const WAITS: WaitBound = { seconds: 180, refusals: 10 };

/** @param origin of the links of the service @returns how many posts were not saved */
export const runSave = async (given: SaveArguments, ports: CommandPorts, origin?: string): Promise<number> => {
  const { isThread, formats, from } = given;
  const { report: write, isTerminal, now, signal, sleep } = ports;
  if (from !== undefined) await checkListFile(resolve(ports.folder, from));
  const folder = await openSaveFolder(resolve(ports.folder, given.out));
  const service = await ports.openService();
  const { download, close } = createDownloader(service.origins ?? readPictureOrigins({}));
  if (service.notice !== undefined) write(`${service.notice}\n`);
  const progress = createProgress({ write, isTerminal, now, count: 0, noun: 'post' });
  const report = createSaveReport(progress);
  const failedFiles = new Set<string>();
  /** The service was reached, or failed in another way. */
  let isReached = false;
  let isFirst = true;
  let current = '';

  const targetOf = (id: string, format: string): string => {
    const thread = isThread ? 'full' : 'off';
    if (format === 'html') return withQuery(`/i/status/${id}`, { replies: 'off', thread, download: 1 });
    const shape = isThread && format === 'obsidian' ? { layout: 'unrolled' } : { thread };
    return withQuery(versionedPath('readPost'), { url: postUrl(id), format, replies: 'off', ...shape });
  };

  const requestFor = (subject: string, waits: WaitBound = WAITS): Patience => ({
    signal,
    sleep,
    waits,
    onWait: (seconds, reason) => progress.wait(seconds, `${subject}: ${reason}`),
  });

  const read = (id: string, format: string, waits?: WaitBound): Promise<Buffer> => {
    const accept = format === 'html' ? mediaTypes.html : undefined;
    const target = targetOf(id, format);
    const request = async (): Promise<Buffer> =>
      Buffer.from(await (await send(service, { target, accept, signal })).arrayBuffer());
    const answer = persist(request, isFirst, requestFor(postUrl(id), waits));
    isFirst = false;
    return answer;
  };

  /** @throws RequestError if the format cannot be read */
  const writeFormat = async (
    name: SavedName,
    id: string,
    format: ExtraFormat,
    files: SavedMedia['files'],
    waits: WaitBound,
  ): Promise<void> => {
    const body = await read(id, format, waits);
    await folder.write(name, format, format === 'html' ? linkFilesOfPage(body.toString(), files) : body);
  };

  /** Saves what is missing of a post: its files first and its note last. @throws RequestError if it cannot be read */
  const savePost = async (id: string): Promise<void> => {
    const post = postUrl(id);
    const isDone = (named: string): boolean => [NOTE, ...formats].every((extension) => folder.has(named, extension));
    if (isDone(id)) return report.keptBefore();
    const note = (await read(id, 'obsidian')).toString();
    const found = nameIn(note, id);
    // Only a thread has the id of another post, its first.
    const name = isThread ? found : { ...found, id };
    if (isDone(name.id)) return report.keptBefore();
    const missing = [NOTE, ...formats].filter((extension) => !folder.has(name.id, extension));
    // Only the note and the page link to files.
    const media =
      missing.includes(NOTE) || missing.includes('html')
        ? await saveMedia(note, name.id, {
            download,
            folder,
            requestFor: (url, waits) => requestFor(`${post}: ${url}`, waits),
            failedFiles,
          })
        : NO_MEDIA;
    const failures: Failure[] = [];
    for (const failure of media.failures) {
      if (failure.passes) {
        failures.push(failure);
        failedFiles.add(failure.subject);
      } else report.missing(post, failure.subject, failure.reason);
    }
    // A note is never replaced, so it is not written before its files are there.
    if (failures.length > 0) return report.failed(post, failures);
    for (const format of formats.filter((extension) => missing.includes(extension))) {
      try {
        await writeFormat(name, id, format, media.files, failures.length > 0 ? NO_WAITS : WAITS);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        failures.push({ subject: `${post} as ${format}`, reason: reasonOf(error), passes: !error.failed.lasts });
      }
    }
    if (missing.includes(NOTE)) await folder.write(name, NOTE, linkFiles(note, media.files));
    if (failures.length > 0) report.failed(post, failures);
    else report.saved();
  };

  const attempt = async (id: string): Promise<void> => {
    signal.throwIfAborted();
    const post = postUrl(id);
    try {
      await savePost(id);
    } catch (error) {
      if (!(error instanceof RequestError) || (error.failed.isUnreached && !isReached)) throw error;
      report.failed(post, [{ subject: post, reason: reasonOf(error), passes: !error.failed.lasts }]);
    }
  };

  try {
    for await (const { post, place } of wantedPosts(given, ports.folder, origin)) {
      if (typeof post !== 'string') report.rejected(`${reasonOf(post)}${place}`);
      else {
        current = `${postUrl(post)}${place}`;
        await attempt(post);
        isReached = true;
      }
    }
    report.end();
    return report.failures;
  } catch (error) {
    if (isReached) report.end();
    if (!isReached || signal.aborted) throw error;
    throw new CommandError(`${errorMessage(error)}\nThe run ended at ${current}. ${HOW_TO_GO_ON}`);
  } finally {
    await Promise.all([service.close(), close()]);
  }
};
