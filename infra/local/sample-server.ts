// Replays the bundled answers of the providers on loopback. What was not recorded does not exist, and is reported
// the way the provider would.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { listen, stop } from './listen.ts';

interface Exchange {
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
const isNoise = (name: string, value: string): boolean =>
  ['lang', 'token', 'count'].includes(name) ||
  (name === 'ranking_mode' && value === 'likes') ||
  (name === 'feed' && value === 'latest');

/** Handles mean the same in any letter case. */
const pathOf = ({ pathname }: URL): string => (pathname.startsWith('/2/profile/') ? pathname.toLowerCase() : pathname);

/** One spelling per question, whatever the order of its parameters. */
const questionOf = (provider: string, path: string): string => {
  const url = new URL(path, 'http://sample');
  const query = [...url.searchParams]
    .filter(([name, value]) => !isNoise(name, value))
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

const POST = /^\/2\/(?:status|thread|conversation)\/([0-9]+)$/;

/** Richest first, so that least is made up. */
const POST_ROUTES = ['conversation', 'thread', 'status'] as const;

/** A single post as a conversation in which nobody else has spoken. */
const asConversation = ({ status, type, body }: Answer): Answer => {
  if (status !== 200) return { status, type, body };
  const recorded: unknown = JSON.parse(body);
  const post = typeof recorded === 'object' && recorded !== null && 'status' in recorded ? recorded.status : null;
  return { status, type, body: JSON.stringify({ thread: [post], replies: [], ...Object(recorded) }) };
};

type Replay = (provider: string, path: string) => Answer | undefined;

const loadReplay = (): { readonly replay: Replay; readonly size: number } => {
  const manifest: readonly Exchange[] = JSON.parse(read('manifest.json'));
  const recorded = new Map(
    manifest.map(({ provider, path, status, content_type, file }) => [
      questionOf(provider, path),
      { status, type: content_type, body: read(file) },
    ]),
  );
  const sibling = (provider: string, path: string): Answer | undefined => {
    const id = POST.exec(path.replace(/\?.*/, ''))?.[1];
    const found = POST_ROUTES.map((route) => recorded.get(questionOf(provider, `/2/${route}/${id}`))).find(
      (answer) => answer !== undefined,
    );
    return found && asConversation(found);
  };
  /** Where the recording of a list stops, the list ends. */
  const afterTheEnd = (provider: string, path: string): Answer | undefined => {
    const first = path.replace(CURSOR, '');
    const isList = first !== path && recorded.get(questionOf(provider, first))?.status === 200;
    return isList ? { status: 200, type: JSON_TYPE, body: `{"code":200,${NO_LIST}}` } : undefined;
  };
  const replay: Replay = (provider, path) =>
    recorded.get(questionOf(provider, path)) ??
    sibling(provider, path) ??
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
