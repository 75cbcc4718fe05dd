// Saves the pictures and videos of a note, through the checks of the picture proxy, and links the note to the files.
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { errorMessage } from '../../../shared/model/json.ts';
import { proxyPath } from '../../../shared/model/picture-hosts.ts';
import { type RequestPorts, requestAnswer } from '../client/request-page.ts';
import type { ServiceAnswer } from '../client/service-client.ts';
import type { createLocalMedia } from '../media.ts';
import { CommandError, ProblemError } from '../request-text.ts';
import { MEDIA_FOLDER, type SaveFolder } from './save-folder.ts';

/**
 * The destinations of links and images of X. Text of third parties is escaped, so a bracket of theirs follows an odd number of
 * backslashes, and no destination has spaces or parentheses.
 */
const DESTINATION = /(?<=(?<!(?<!\\)(?:\\\\)*\\)\]\()https:\/\/(?:pbs|video)\.twimg\.com\/[^\s()]+(?=\))/gi;

const extensions: ReadonlyMap<string | undefined, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
]);

export interface MediaPorts {
  readonly proxy: ReturnType<typeof createLocalMedia>['proxy'];
  readonly folder: SaveFolder;
  readonly request: Omit<RequestPorts, 'client'>;
  /** Names a file that cannot be read. The note keeps its URL. */
  readonly onMissing: (url: string, reason: string) => void;
}

interface Download extends ServiceAnswer {
  readonly isComplete: boolean;
  readonly type: string | undefined;
}

/** The proxy answers so if the file can never be passed on: it is too large, or of another type. */
const UNUSABLE = 502;

/** @throws CommandError if the file cannot be written */
const download = async (url: string, part: string, { proxy, request }: MediaPorts): Promise<Download> => {
  const [path = '', query = ''] = (proxyPath(url) ?? '').split('?');
  let status = 0;
  let type: string | undefined;
  let seconds = 0;
  let problem = '';
  let file: WriteStream | undefined;
  await proxy({ method: 'GET', path, query, baseUrl: '', signal: request.signal }, (answered, headers) => {
    status = answered;
    type = headers['Content-Type'];
    seconds = Number(headers['Retry-After'] ?? 0);
    if (status === 200) {
      file = createWriteStream(part);
      return file;
    }
    return new Writable({
      write(chunk, _, done) {
        problem += String(chunk);
        done();
      },
    });
  });
  const failure = file?.errored;
  const isOfDisk = failure != null && 'syscall' in failure && failure.syscall !== 'read';
  if (isOfDisk) throw new CommandError(`The file cannot be written: ${errorMessage(failure)}`);
  return {
    status: status === UNUSABLE ? 404 : status,
    body: problem,
    ...(seconds > 0 && { retryAfter: seconds }),
    isComplete: file?.writableFinished === true && failure === null,
    type,
  };
};

/** @returns the name of the file; undefined if X has none @throws CommandError if it cannot be read now */
const saveFile = async (url: string, stem: string, ports: MediaPorts): Promise<string | undefined> => {
  const part = ports.folder.newPart();
  try {
    let file: Download | undefined;
    const client = {
      async get() {
        file = await download(url, part, ports);
        return file;
      },
    };
    await requestAnswer(url, false, { ...ports.request, client }, () => file?.isComplete || undefined);
    return await ports.folder.keepPart(part, stem, extensions.get(file?.type) ?? 'bin');
  } catch (error) {
    await rm(part, { force: true });
    if (!(error instanceof ProblemError) || !error.lasts) throw error;
    ports.onMissing(url, error.message.split('\n')[0] ?? '');
    return undefined;
  }
};

/** @returns the note with links to its files */
export const saveMedia = async (note: string, id: string, ports: MediaPorts): Promise<string> => {
  const urls = [...new Set(note.match(DESTINATION))].filter((url) => proxyPath(url) !== undefined);
  const files = new Map<string, string>();
  for (const [index, url] of urls.entries()) {
    const name = await saveFile(url, `${id}-${index + 1}`, ports);
    if (name !== undefined) files.set(url, `${MEDIA_FOLDER}/${name}`);
  }
  return note.replace(DESTINATION, (url) => files.get(url) ?? url);
};
