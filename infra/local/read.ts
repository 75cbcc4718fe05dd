// `npm run read -- WHAT`: prints what a text of the box means, without a running service. The command calls the functions
// as API Gateway does, so it uses the same code as every client.
import { parseArgs } from 'node:util';
import { isFeedFormat } from '../../shared/contract/media-types.ts';
import { textTarget } from '../../shared/model/account-list.ts';
import { terminalJson } from '../../shared/model/json.ts';
import { answerHelp } from '../command/answer-help.ts';
import { commandLine } from '../command/command-line.ts';
import { fail, print, runToExit } from '../command/output.ts';
import { originOfLinks, parseBoxArgument } from './box-argument.ts';
import { pathOfHandle, withQuery } from './client/list-target.ts';
import { createLocalClient } from './client/service-client.ts';
import { CommandError, problemText } from './request-text.ts';

const USAGE = `usage: ${commandLine('read', 'WHAT [--format FORMAT] [--layout LAYOUT]')}
WHAT is one of
  https://x.com/HANDLE/status/ID, or the ID alone: a post with its thread and replies
  @HANDLE, https://x.com/HANDLE: a profile with its recent posts
  any other link of the box: followers, media, quotes, a search
FORMAT is markdown (default) or json (also --json); obsidian for posts; ndjson for lists; rss, atom or jsonfeed for
  profiles and lists of posts
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

const readToStandardOutput = async (given: ReadArguments): Promise<void> => {
  const target = targetOf(given);
  const client = await createLocalClient(process.env);
  if (client.notice !== undefined) console.error(client.notice);
  try {
    const { status, body } = await client.get(target, new AbortController().signal);
    if (status === 200) return await print(isJson(given.format) ? terminalJson(body) : body);
    throw new CommandError(problemText(body) ?? `HTTP ${status}`);
  } finally {
    await client.close();
  }
};

const argumentsOf = (): ReadArguments | undefined => {
  try {
    const { values, positionals } = parseArgs({
      options: { json: { type: 'boolean', default: false }, format: { type: 'string' }, layout: { type: 'string' } },
      allowPositionals: true,
    });
    const [what, ...more] = positionals;
    if (what === undefined || more.length > 0 || (values.json && values.format !== undefined)) return undefined;
    return { what, format: values.format ?? (values.json ? 'json' : 'markdown'), layout: values.layout };
  } catch {
    return undefined; // an option that does not exist
  }
};

answerHelp(USAGE);
const parsed = argumentsOf();
if (parsed === undefined) fail(USAGE);
else await runToExit(() => readToStandardOutput(parsed));
