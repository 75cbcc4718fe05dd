// Saves posts as notes, one after the other: first its pictures and videos, then its other formats, then the note.
import { resolve } from 'node:path';
import { readPictureOrigins } from '../../../shared/composition/pictures.ts';
import { mediaTypes } from '../../../shared/contract/media-types.ts';
import { versionedPath } from '../../../shared/contract/operations.ts';
import { postUrl } from '../../../shared/model/handle.ts';
import { errorMessage } from '../../../shared/model/json.ts';
import { answerHelp } from '../../command/answer-help.ts';
import { originOfLinks } from '../box-argument.ts';
import { withQuery } from '../client/list-target.ts';
import { createProgress } from '../client/progress.ts';
import { parseItem, type RequestPorts, requestAnswer } from '../client/request-page.ts';
import type { ServiceAnswer } from '../client/service-client.ts';
import { linesIn } from '../lines-in.ts';
import { createLocalMedia } from '../media.ts';
import { CommandError, ProblemError } from '../request-text.ts';
import { type CommandPorts, runCommand } from '../run-command.ts';
import { idOfPost, parseSaveArguments, type SaveArguments, USAGE } from './arguments.ts';
import { openSaveFolder, type SavedName } from './save-folder.ts';
import { saveMedia } from './save-media.ts';

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

/** @throws CommandError for a line that names no post */
async function* idsIn(file: string, origin: string | undefined): AsyncGenerator<string | CommandError> {
  for await (const bytes of linesIn(file)) {
    const line = bytes.toString().trim();
    const item = parseItem(line);
    // The last line of an export that was broken off.
    if (line === '' || (item === undefined && line.startsWith('{') && bytes.at(-1) !== 0x0a)) continue;
    // The last line of NDJSON says where the list goes on.
    if (item === undefined && NDJSON_END.test(line)) continue;
    try {
      yield idOfPost(String(item === undefined ? line : (item['url'] ?? item['id'])), origin);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      yield error;
    }
  }
}

/** @param origin of the links of the service @returns how many posts were not saved */
export const runSave = async (given: SaveArguments, ports: CommandPorts, origin?: string): Promise<number> => {
  const { isThread, formats } = given;
  const { report, isTerminal, now, signal, sleep } = ports;
  const folder = await openSaveFolder(resolve(ports.folder, given.out));
  const client = await ports.createClient();
  const { proxy, close } = createLocalMedia({
    origins: client.origins ?? readPictureOrigins({}),
    writeLog: () => undefined,
  });
  if (client.notice !== undefined) report(`${client.notice}\n`);
  const progress = createProgress({ write: report, isTerminal, now, count: 0 });
  const request: RequestPorts = { client, signal, sleep, onWait: progress.wait };
  let isFirst = true;
  let kept = 0;
  let failed = 0;

  const targetOf = (id: string, format: string): string => {
    const thread = isThread ? 'full' : 'off';
    if (format === 'html') return withQuery(`/i/status/${id}`, { replies: 'off', thread, download: 1 });
    const shape = isThread && format === 'obsidian' ? { layout: 'unrolled' } : { thread };
    return withQuery(versionedPath('readPost'), { url: postUrl(id), format, replies: 'off', ...shape });
  };

  const read = async (id: string, format: string): Promise<ServiceAnswer> => {
    const accept = format === 'html' ? mediaTypes.html : undefined;
    const shown = { ...request, client: { get: (to: string) => client.get(to, signal, accept) } };
    const answer = await requestAnswer(targetOf(id, format), isFirst, shown, (found) => found);
    isFirst = false;
    return answer;
  };

  /** @returns false: it is there already */
  const savePost = async (id: string): Promise<boolean> => {
    const isDone = (named: string): boolean => [NOTE, ...formats].every((extension) => folder.has(named, extension));
    if (isDone(id)) return false;
    const { body: note } = await read(id, 'obsidian');
    const found = nameIn(note, id);
    // Only a thread has the id of another post, its first.
    const name = isThread ? found : { ...found, id };
    if (isDone(name.id)) return false;
    for (const format of formats)
      if (!folder.has(name.id, format)) {
        const { body, isBase64 } = await read(id, format);
        await folder.write(name, format, isBase64 ? Buffer.from(body, 'base64') : body);
      }
    const onMissing = (url: string, reason: string): void => progress.say(`${url}: ${reason}. The note links to it.`);
    if (!folder.has(name.id, NOTE))
      await folder.write(name, NOTE, await saveMedia(note, name.id, { proxy, folder, request, onMissing }));
    return true;
  };

  const attempt = async (id: string): Promise<void> => {
    signal.throwIfAborted();
    try {
      if (await savePost(id)) progress.add(1, undefined);
      else kept += 1;
    } catch (error) {
      if (!(error instanceof ProblemError) || !error.lasts) throw error;
      failed += 1;
      progress.say(`${postUrl(id)}: ${error.message.split('\n')[0]}`);
    }
  };

  try {
    for (const id of given.ids) await attempt(id);
    if (given.from !== undefined) {
      for await (const id of idsIn(resolve(ports.folder, given.from), origin)) {
        if (typeof id === 'string') await attempt(id);
        else {
          failed += 1;
          progress.say(errorMessage(id));
        }
      }
    }
    progress.say(`${progress.count} saved, ${kept} there already, ${failed} failed`);
    return failed;
  } finally {
    await Promise.all([client.close(), close()]);
  }
};

/** `npm run -s save -- URL… --out DIR`, and `save` of the container. */
export const saveCommand = async (args: readonly string[]): Promise<void> => {
  answerHelp(USAGE);
  // No list is read, so no cursor is signed.
  process.env['DATA_DIR'] = 'memory';
  await runCommand(async (ports) => {
    const origin = originOfLinks(process.env);
    const given = parseSaveArguments(args, origin);
    if (given === undefined) return USAGE;
    const failed = await runSave(given, ports, origin);
    return failed === 0 ? undefined : 'Not all posts were saved.';
  });
};
