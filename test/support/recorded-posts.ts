// Replays recorded responses of the providers (fixtures/README.md), on loopback or without a network.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen, stop } from '../../infra/local/listen.ts';
import { asRecord, type JsonRecord } from '../../shared/model/json.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import type { Outcome, PostRequest } from '../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../shared/upstream/http-request.ts';
import { createSyndication } from '../../shared/upstream/syndication/provider.ts';
import { readingAt } from './clocks.ts';
import { json, providerCalling } from './provider-calls.ts';

export interface Exchange {
  /** Path below fixtures/. */
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

/** The approximate time of the recordings. */
export const RECORDED_AT = Date.parse('2026-08-25T00:00:00Z');

/** Failures that are not about a post are responses to this post. */
const SOME_POST = '2028036267832246272';

const idOf = ({ file, path }: Exchange): string =>
  (file.includes('/edge/') ? undefined : /(?:\/2\/\w+\/|[?&]id=)([0-9]+)/.exec(path)?.[1]) ?? SOME_POST;

/** @returns the request that leads to the recorded response */
export const requestOf = (exchange: Exchange): PostRequest => ({
  id: idOf(exchange),
  thread: exchange.path.startsWith('/2/status/') ? 'off' : 'full',
  replies: exchange.path.startsWith('/2/conversation/') ? 'top' : 'off',
});

type ProviderOf = typeof createFxTwitter | typeof createSyndication;

const providerOf = ({ file }: Exchange): ProviderOf =>
  file.startsWith('syndication/') ? createSyndication : createFxTwitter;

const withoutDefaults = (path: string): string => path.replace('?ranking_mode=likes', '');

/** @returns the recorded response for another post of the conversation; 404 if there is none */
const furtherAnswer = (url: string): FetchResult => {
  const recorded = exchanges.find(({ path }) => url.endsWith(withoutDefaults(path)));
  return recorded === undefined
    ? json({ code: 404, status: null }, 404)
    : json(JSON.parse(bodyOf(recorded)), recorded.status);
};

/** Reads a recorded JSON response without a network. */
export const readRecorded = (
  file: string,
  body?: unknown,
  request?: Partial<PostRequest>,
): Promise<Outcome<Conversation>> => {
  const exchange = exchangeOf(file);
  const first = json(body === undefined ? JSON.parse(bodyOf(exchange)) : body, exchange.status);
  let calls = 0;
  const answer = ({ href }: URL): FetchResult => {
    calls += 1;
    return calls === 1 ? first : furtherAnswer(withoutDefaults(href));
  };
  const { readPost } = providerCalling(providerOf(exchange), answer, RECORDED_AT, 'recorded');
  return readPost(
    { ...requestOf(exchange), ...request },
    { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } },
  );
};

export const foundIn = <T>(outcome: Outcome<T> | undefined): Extract<Outcome<T>, { kind: 'found' }> => {
  if (outcome?.kind !== 'found') throw new Error(outcome?.kind);
  return outcome;
};

/** The codes of the warnings. */
export const codesIn = <T>(outcome: Outcome<T> | undefined): string[] =>
  foundIn(outcome).warnings.map(({ code }) => code);

export const recordedConversation = async (file: string): Promise<Conversation> =>
  foundIn(await readRecorded(file)).value;

/** @returns the object in a recorded response */
export const recordedObject = (file: string): JsonRecord => {
  const body = asRecord(JSON.parse(bodyOf(exchangeOf(file))));
  if (body === undefined) throw new Error(`${file} is no object`);
  return body;
};

const PLAIN = 'fxtwitter/status/text_plain.json';

/** Reads the recorded post with other members, alone or with other members of the response. */
export const readStatus = (members: object, more: object = {}, request?: Partial<PostRequest>) => {
  const body = recordedObject(PLAIN);
  return readRecorded(PLAIN, { ...body, status: { ...asRecord(body['status']), ...members }, ...more }, request);
};

/** Files whose response has a post, according to the manifest. */
export const readablePosts: readonly string[] = exchanges
  .filter(({ file, status }) => status === 200 && /^fxtwitter\/(?:status|thread|conversation)\//.test(file))
  .map(({ file }) => file);

/** Starts a server on loopback that sends recorded responses byte for byte, one after the other. */
export const startReplay = async () => {
  let current: Exchange | undefined;
  const server = createServer((_, response) => {
    if (current === undefined) return void response.writeHead(500).end();
    response.writeHead(current.status, current.headers).end(bodyOf(current));
  });
  return {
    baseUrl: await listen(server, '127.0.0.1', 0),
    /** Sets the following responses. */
    answer(exchange: Exchange): void {
      current = exchange;
    },
    close: (): Promise<void> => stop(server),
  };
};
