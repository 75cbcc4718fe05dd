// Saves the pictures and videos of a note, through the checks of the picture proxy, and links the note to the files.
import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { MediaPorts } from '../../../functions/media/create-media-proxy.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { createLocalMedia } from '../../../infra/local/media.ts';
import { createLinkCheck, createProxyPath } from '../../../shared/auth/picture-signatures.ts';
import { asRecord, errorMessage, parseJson } from '../../../shared/model/json.ts';
import { fileUrl, parseFileUrl, parseProxyPath } from '../../../shared/model/picture-hosts.ts';
import { visibleLine } from '../../../shared/model/visible-text.ts';
import { isTransient, type Patience, persist, RequestError, type WaitBound } from '../request.ts';
import { MEDIA_FOLDER, type SaveFolder } from './save-folder.ts';
import type { Failure } from './save-report.ts';

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

export interface Downloader {
  /**
   * @param part the file to write
   * @returns the media type
   * @throws RequestError if X does not send the file; CommandError if it cannot be written
   */
  download(url: string, part: string, signal: AbortSignal): Promise<string | undefined>;
  close(): Promise<void>;
}

const OK = 200;
const MISSING = 404;
/** The proxy answers so if the file can never be passed on: it is too large, or of another type. */
const UNUSABLE = 502;

/** @param cause of the log of the proxy; its first line has no stack */
const reasonOf = (status: number, cause: string): string => {
  const [why = ''] = cause.split('\n', 1);
  const because = why === '' ? '' : ` (${why.replace(/^\w*Error: /, '')})`;
  if (status === OK) return 'the file was broken off';
  if (status === MISSING) return 'X does not have the file any more';
  if (status === UNUSABLE) return `what X sends is no picture or video that can be saved${because}`;
  return `X does not send the file${because}`;
};

/** @param origins of pictures and videos */
export const createDownloader = (origins: MediaPorts['origins']): Downloader => {
  // Files are downloaded one after the other.
  let cause = '';
  // The proxy is in this process, and nobody else has a path.
  const secret = randomBytes(32).toString('base64url');
  const proxyPath = createProxyPath(secret);
  const { proxy, close } = createLocalMedia({
    origins,
    isLinked: createLinkCheck([secret]),
    writeLog: (line) => {
      const logged = asRecord(parseJson(line))?.['cause'];
      cause = typeof logged === 'string' ? logged : '';
    },
  });
  return {
    async download(url, part, signal) {
      const [path = '', query = ''] = (proxyPath(url) ?? '').split('?');
      let status = 0;
      let type: string | undefined;
      let retryAfter = 0;
      let file: WriteStream | undefined;
      cause = '';
      await proxy({ method: 'GET', path, query, baseUrl: '', signal }, (answered, headers) => {
        status = answered;
        type = headers['Content-Type'];
        retryAfter = Number(headers['Retry-After'] ?? 0);
        if (status !== OK) return new Writable({ write: (_chunk, _encoding, done) => done() });
        file = createWriteStream(part);
        return file;
      });
      const failure = file?.errored;
      const isOfDisk = failure != null && 'syscall' in failure && failure.syscall !== 'read';
      if (isOfDisk) throw new CommandError(`The file cannot be written: ${errorMessage(failure)}`);
      if (file?.writableFinished === true && failure === null) return type;
      throw new RequestError(visibleLine(reasonOf(status, cause)), {
        lasts: status === UNUSABLE || !(status === OK || isTransient(status)),
        status,
        retryAfter: retryAfter || undefined,
      });
    },
    close,
  };
};

export interface SaveMediaPorts extends Pick<Downloader, 'download'> {
  readonly folder: SaveFolder;
  /** @param waits @default that of a post */
  readonly requestFor: (url: string, waits?: WaitBound) => Patience;
  /** Files that failed before are requested once. */
  readonly failedFiles: ReadonlySet<string>;
}

/** Nothing is waited for. */
export const NO_WAITS: WaitBound = { seconds: 0, refusals: 0 };

/** @returns the name of the file @throws RequestError if X does not have it, or does not send it now */
const saveFile = async (
  url: string,
  stem: string,
  { download, folder }: Pick<SaveMediaPorts, 'download' | 'folder'>,
  patience: Patience,
): Promise<string> => {
  const part = folder.newPart();
  try {
    const type = await persist(() => download(url, part, patience.signal), false, patience);
    return await folder.keepPart(part, stem, extensions.get(type) ?? 'bin');
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
};

export const NO_MEDIA: SavedMedia = { files: new Map(), failures: [] };

export interface SavedMedia {
  /** The paths of the files beside the note, by their URL on X. */
  readonly files: ReadonlyMap<string, string>;
  /** The files that are not there. */
  readonly failures: readonly Failure[];
}

/** Saves the files of a note, and tries each of them whatever happens to the others. @throws CommandError if nothing can be written */
export const saveMedia = async (note: string, id: string, ports: SaveMediaPorts): Promise<SavedMedia> => {
  const urls = [...new Set(note.match(DESTINATION))].filter((url) => parseFileUrl(url) !== undefined);
  const files = new Map<string, string>();
  const failures: Failure[] = [];
  for (const [index, url] of urls.entries()) {
    // The note has to wait for a later run, so nothing else of it is waited for.
    const isHopeless = ports.failedFiles.has(url) || failures.some(({ passes }) => passes);
    const request = ports.requestFor(url, isHopeless ? NO_WAITS : undefined);
    try {
      files.set(url, `${MEDIA_FOLDER}/${await saveFile(url, `${id}-${index + 1}`, ports, request)}`);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      failures.push({ subject: url, reason: error.message, passes: !error.failed.lasts });
    }
  }
  return { files, failures };
};

/** @returns the note with links to its files */
export const linkFiles = (note: string, files: SavedMedia['files']): string =>
  note.replace(DESTINATION, (url) => files.get(url) ?? url);

/** X has a picture in several sizes at one path. */
const fileKey = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** @param path and query, as a page names a file that goes through the service @returns its URL on X */
const urlOfProxied = ({ pathname, search }: URL): string | undefined => {
  const file = parseProxyPath(pathname, search.slice(1));
  return typeof file === 'string' ? undefined : fileUrl({ ...file, query: '' });
};

/** @param html with escaped, absolute URLs @returns the page with links to the files beside it */
export const linkFilesOfPage = (html: string, files: SavedMedia['files']): string => {
  const paths = new Map([...files].map(([url, path]) => [fileKey(url), path]));
  return html.replace(/ href="(https?:[^"]*)"/g, (attribute, escaped: string) => {
    const url = URL.canParse(escaped) ? new URL(escaped) : undefined;
    const path = url && paths.get(urlOfProxied(url) ?? fileKey(url.href));
    return path === undefined ? attribute : ` href="${path}"`;
  });
};
