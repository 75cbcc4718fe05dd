// Recorded answers of the providers (fixtures/README.md), replayed on loopback or read by the providers directly.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conversation } from '../../shared/model/conversation.ts';
import type { Outcome, PostRequest } from '../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../shared/upstream/http-request.ts';
import type { JsonClient } from '../../shared/upstream/json-client.ts';
import { createSyndication } from '../../shared/upstream/syndication/provider.ts';

export interface Exchange {
  /** Below fixtures/. */
  readonly file: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly note?: string;
}

const fixture = (file: string): string => readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8');

export const exchanges: readonly Exchange[] = JSON.parse(fixture('manifest.json'));

export const exchangeOf = (file: string): Exchange => {
  const found = exchanges.find((exchange) => exchange.file === file);
  if (found === undefined) throw new Error(`no fixture ${file}`);
  return found;
};

export const bodyOf = ({ file }: Exchange): string => fixture(file);

/** When the recordings were made, more or less. */
export const RECORDED_AT = Date.parse('2026-08-25T00:00:00Z');

/** Failures that have nothing to do with a post are answers to this one. */
const SOME_POST = '2028036267832246272';

const idOf = ({ file, path }: Exchange): string =>
  (file.includes('/edge/') ? undefined : /(?:\/2\/\w+\/|[?&]id=)([0-9]+)/.exec(path)?.[1]) ?? SOME_POST;

/** What a caller would have asked to get this answer. */
export const requestOf = (exchange: Exchange): PostRequest => ({
  id: idOf(exchange),
  thread: exchange.path.startsWith('/2/status/') ? 'off' : 'full',
  replies: exchange.path.startsWith('/2/conversation/') ? 'top' : 'off',
});

type ProviderOf = typeof createFxTwitter | typeof createSyndication;

const providerOf = ({ file }: Exchange): ProviderOf =>
  file.startsWith('syndication/') ? createSyndication : createFxTwitter;

const withoutDefaults = (path: string): string => path.replace('?ranking_mode=likes', '');

/** What the provider said of another post of the same conversation; what was not recorded is not there. */
const furtherAnswer = (url: string): FetchResult => {
  const recorded = exchanges.find(({ path }) => url.endsWith(withoutDefaults(path)));
  return {
    kind: 'response',
    status: recorded?.status ?? 404,
    json: recorded === undefined ? { code: 404, status: null } : JSON.parse(bodyOf(recorded)),
    isHtml: false,
  };
};

/** Reads a recorded answer of JSON, without a network. */
export const readRecorded = (
  file: string,
  json?: unknown,
  request?: Partial<PostRequest>,
): Promise<Outcome<Conversation>> => {
  const exchange = exchangeOf(file);
  const answer = json === undefined ? JSON.parse(bodyOf(exchange)) : json;
  let calls = 0;
  const http: JsonClient = {
    get: async (url) => {
      calls += 1;
      return calls === 1
        ? { kind: 'response', status: exchange.status, json: answer, isHtml: false }
        : furtherAnswer(withoutDefaults(url));
    },
  };
  const provider = providerOf(exchange)({
    baseUrl: 'http://127.0.0.1',
    source: 'recorded',
    http,
    clock: () => RECORDED_AT,
  });
  return provider.readPost({ ...requestOf(exchange), ...request }, { deadline: RECORDED_AT + 8000, retries: 0 });
};

export const recordedConversation = async (file: string): Promise<Conversation> => {
  const outcome = await readRecorded(file);
  if (outcome.kind !== 'found') throw new Error(`${file}: ${outcome.kind}`);
  return outcome.value;
};

/** Files of posts that were answered with a post, as far as the manifest can tell. */
export const readablePosts: readonly string[] = exchanges
  .filter(({ file, status }) => status === 200 && /^fxtwitter\/(?:status|thread|conversation)\//.test(file))
  .map(({ file }) => file);

export interface ReplayServer {
  readonly baseUrl: string;
  /** What is answered from now on. */
  answer(exchange: Exchange): void;
  close(): Promise<void>;
}

/** A server on loopback that gives one recorded answer after the other, as they came over the wire. */
export const startReplay = async (): Promise<ReplayServer> => {
  let current: Exchange | undefined;
  const server = createServer((_, response) => {
    if (current === undefined) return void response.writeHead(500).end();
    response.writeHead(current.status, current.headers).end(bodyOf(current));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answer(exchange) {
      current = exchange;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
