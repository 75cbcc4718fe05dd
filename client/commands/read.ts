// `npm run read -- WHAT`: prints what a text of the box means, without a running service. The command calls the functions
// as API Gateway does, so it uses the same code as every client.
import { answerHelp } from '../../infra/command/answer-help.ts';
import { commandLine } from '../../infra/command/command-line.ts';
import { CommandError, fail, print, runToExit } from '../../infra/command/output.ts';
import { startInProcess } from '../../infra/local/in-process.ts';
import { isFeedFormat } from '../../shared/contract/media-types.ts';
import { textTarget } from '../../shared/model/account-list.ts';
import { terminalJson, terminalText } from '../../shared/model/json.ts';
import { PosternError } from '../src/postern-error.ts';
import { originOfLinks, parseBoxArgument } from './box-argument.ts';
import { pathOfHandle, withQuery } from './list-target.ts';
import { parseOptions } from './options.ts';
import { failureText, send } from './request.ts';

const USAGE = `usage: ${commandLine('read', 'WHAT [--format FORMAT] [--layout LAYOUT]')}
WHAT is one of
  https://x.com/HANDLE/status/ID, or the ID alone: a post with its thread and replies
  @HANDLE, https://x.com/HANDLE: a profile with its recent posts
  any other link of the box: followers, media, quotes, a search
FORMAT is markdown (default) or json (also --json); obsidian for posts; ndjson or csv for lists; rss, atom or
  jsonfeed for profiles and lists of posts
LAYOUT is conversation (default) or unrolled: a thread as one text`;

interface ReadArguments {
  readonly what: string;
  readonly format: string;
  readonly layout: string | undefined;
}

/** @returns the path and query of the permalink @throws CommandError */
const targetOf = ({ what, format, layout }: ReadArguments): string => {
  const meaning = parseBoxArgument(what, originOfLinks(process.env));
  const isPost = meaning.kind === 'post' && meaning.page === undefined;
  if (layout !== undefined && !isPost) throw new CommandError('--layout is for a post. Leave it out.');
  const { path, query } = textTarget(meaning);
  if (format === 'epub') throw new CommandError('--format epub is a file, not a text. Ask the service for it.');
  const isTimeline = meaning.kind === 'profile' && meaning.page === undefined && isFeedFormat(format);
  const posts = isTimeline ? pathOfHandle('listPosts', meaning.handle) : path;
  return withQuery(posts, { ...query, format, layout });
};

const isJson = (format: string): boolean => ['json', 'ndjson', 'jsonfeed'].includes(format);

/** A table has no escapes, so only a terminal gets some. */
const shown = (format: string, body: string): string => {
  if (isJson(format)) return terminalJson(body);
  return format === 'csv' && process.stdout.isTTY ? terminalText(body) : body;
};

const readToStandardOutput = async (given: ReadArguments): Promise<void> => {
  const target = targetOf(given);
  const functions = await startInProcess(process.env);
  if (functions.notice !== undefined) console.error(functions.notice);
  try {
    const response = await send(functions, { target, signal: new AbortController().signal });
    const body = await response.text();
    await print(shown(given.format, body));
  } catch (error) {
    throw error instanceof PosternError ? new CommandError(failureText(error) ?? `HTTP ${error.status}`) : error;
  } finally {
    await functions.close();
  }
};

const argumentsOf = (): ReadArguments | undefined => {
  const { values, positionals } =
    parseOptions({
      options: { json: { type: 'boolean', default: false }, format: { type: 'string' }, layout: { type: 'string' } },
      allowPositionals: true,
    }) ?? {};
  const [what, ...more] = positionals ?? [];
  if (values === undefined || what === undefined || more.length > 0) return undefined;
  if (values.json && values.format !== undefined) return undefined;
  return { what, format: values.format ?? (values.json ? 'json' : 'markdown'), layout: values.layout };
};

answerHelp(USAGE);
const parsed = argumentsOf();
if (parsed === undefined) fail(USAGE);
else await runToExit(() => readToStandardOutput(parsed));
