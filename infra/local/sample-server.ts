// Replays the bundled answers of the providers on loopback. What was not recorded does not exist, and is reported
// the way the provider would. Conversations are laid out anew from all recorded posts, so that each of them can be asked
// for, not only those whose conversation was recorded.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type LaidOut, layoutOf, type RawPost } from './conversation-layout.ts';
import { listen, stop } from './listen.ts';

interface RecordedExchange {
  readonly provider: string;
  /** With query. */
  readonly path: string;
  readonly status: number;
  readonly content_type: string;
  readonly file: string;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const SAMPLE = new URL('./sample/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, SAMPLE), 'utf8');

/** They change nothing in a recorded answer: language, derived token, a wish for so many, what is the default anyway. */
const isIgnoredParameter = (name: string, value: string): boolean =>
  ['lang', 'token', 'count'].includes(name) ||
  (name === 'ranking_mode' && value === 'likes') ||
  (name === 'feed' && value === 'latest');

/** Handles mean the same in any letter case. */
const pathOf = ({ pathname }: URL): string => (pathname.startsWith('/2/profile/') ? pathname.toLowerCase() : pathname);

/** One spelling per question, whatever the order of its parameters. */
const requestKey = (provider: string, path: string): string => {
  const url = new URL(path, 'http://sample');
  const query = [...url.searchParams]
    .filter(([name, value]) => !isIgnoredParameter(name, value))
    .map(([name, value]) => `${name}=${value}`);
  return `${provider} ${pathOf(url)}?${query.toSorted().join('&')}`;
};

const JSON_TYPE = 'application/json';

const NO_LIST = '"results":[],"cursor":{"top":null,"bottom":null}';

interface Unknown extends Answer {
  readonly provider: string;
  readonly path: RegExp;
}

/** What the provider says of what it does not have: the first that fits. A search always has an answer. */
const unknown: readonly Unknown[] = [
  { provider: 'fxtwitter', path: /^\/2\/search\b/, status: 200, type: JSON_TYPE, body: `{"code":200,${NO_LIST}}` },
  {
    provider: 'fxtwitter',
    path: /^\/2\/typeahead\b/,
    status: 200,
    type: JSON_TYPE,
    body: '{"code":200,"query":"","num_results":0,"users":[],"topics":[],"events":[]}',
  },
  {
    provider: 'fxtwitter',
    path: /^\/2\/profile\/[^/]+$/,
    status: 404,
    type: JSON_TYPE,
    body: '{"code":404,"message":"User not found"}',
  },
  { provider: 'fxtwitter', path: /^\/2\/profile\//, status: 404, type: JSON_TYPE, body: `{"code":404,${NO_LIST}}` },
  {
    provider: 'fxtwitter',
    path: /./,
    status: 404,
    type: JSON_TYPE,
    body: '{"code":404,"status":null,"thread":null,"author":null}',
  },
  {
    provider: 'x_api',
    path: /./,
    status: 200,
    type: JSON_TYPE,
    body: '{"errors":[{"title":"Not Found Error","type":"https://api.twitter.com/2/problems/resource-not-found"}]}',
  },
  { provider: 'syndication', path: /./, status: 404, type: 'text/html', body: '<!DOCTYPE html><title>404</title>' },
];

const answerToUnknown = (provider: string, path: string): Answer | undefined =>
  unknown.find((row) => row.provider === provider && row.path.test(path));

const CURSOR = /&cursor=[^&]*/;

const POST = /^\/2\/(status|thread|conversation)\/([0-9]+)$/;

const isRecord = (value: unknown): value is RawPost => typeof value === 'object' && value !== null;

/** The posts of a recorded answer about a post: itself, and those around it. */
const postsIn = ({ status, body }: Answer): readonly RawPost[] => {
  const recorded: unknown = status === 200 ? JSON.parse(body) : undefined;
  if (!isRecord(recorded)) return [];
  return [recorded['status'], recorded['thread'], recorded['replies']].flat().filter(isRecord);
};

const asAnswer = ({ status, body }: LaidOut): Answer => ({ status, type: JSON_TYPE, body: JSON.stringify(body) });

/** A recorded answer under another id than its own, as of a repost: a conversation without replies. */
const asConversation = ({ status, type, body }: Answer): Answer => {
  const recorded: unknown = JSON.parse(body);
  if (status !== 200 || !isRecord(recorded)) return { status, type, body };
  return {
    status,
    type,
    body: JSON.stringify({ ...recorded, thread: [recorded['status']], replies: [], cursor: null }),
  };
};

const NOTHING: Answer = { status: 404, type: JSON_TYPE, body: 'null' };

type Replay = (provider: string, path: string) => Answer | undefined;

const loadReplay = (): { readonly replay: Replay; readonly size: number } => {
  const manifest: readonly RecordedExchange[] = JSON.parse(read('manifest.json'));
  const recorded = new Map(
    manifest.map(({ provider, path, status, content_type, file }) => [
      requestKey(provider, path),
      { status, type: content_type, body: read(file) },
    ]),
  );
  const isAboutPost = (path: string): boolean => POST.test(path.replace(/\?.*/, ''));
  const about = manifest.filter(({ provider, path }) => provider === 'fxtwitter' && isAboutPost(path));
  const recordedAt = (path: string): Answer | undefined => recorded.get(requestKey('fxtwitter', path));
  const layout = layoutOf(about.flatMap(({ path }) => postsIn(recordedAt(path) ?? NOTHING)));

  /** A miss is recorded of the query for single posts: X says to no other why. */
  const post = (provider: string, path: string): Answer | undefined => {
    const { pathname, searchParams } = new URL(path, 'http://sample');
    const [, route = '', id = ''] = POST.exec(pathname) ?? [];
    if (provider !== 'fxtwitter' || id === '') return undefined;
    const single = recordedAt(`/2/status/${id}`);
    if (single !== undefined && single.status === 200 && !layout.has(id)) return asConversation(single);
    return asAnswer(layout.answer(route, id, searchParams));
  };
  /** Where the recording of a list stops, the list ends. */
  const afterTheEnd = (provider: string, path: string): Answer | undefined => {
    const first = path.replace(CURSOR, '');
    const isList = first !== path && recorded.get(requestKey(provider, first))?.status === 200;
    return isList ? { status: 200, type: JSON_TYPE, body: `{"code":200,${NO_LIST}}` } : undefined;
  };
  const replay: Replay = (provider, path) =>
    recorded.get(requestKey(provider, path)) ??
    post(provider, path) ??
    afterTheEnd(provider, path) ??
    answerToUnknown(provider, path);
  return { replay, size: manifest.length };
};

const REQUEST = /^\/([a-z_]+)(\/.*)$/;

const listener =
  (replay: Replay): RequestListener =>
  (request, response) => {
    const [, provider = '', path = ''] = REQUEST.exec(request.url ?? '') ?? [];
    const { status, type, body } = replay(provider, path) ?? { status: 404, type: 'text/plain', body: '' };
    response.writeHead(status, { 'Content-Type': type }).end(body);
  };

export interface SampleServer {
  /** A provider's base address is this and its name. */
  readonly origin: string;
  /** Number of recorded answers. */
  readonly size: number;
  close(): Promise<void>;
}

export const startSampleServer = async (): Promise<SampleServer> => {
  const { replay, size } = loadReplay();
  const server = createServer(listener(replay));
  const origin = await listen(server, '127.0.0.1', 0);
  return { origin, size, close: () => stop(server) };
};
