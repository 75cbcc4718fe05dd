// Reads recorded responses of FxTwitter about profiles, lists and searches (fixtures/README.md) with the provider.
import { readFileSync } from 'node:fs';
import type { Outcome, PageRequest, PostListRequest, UserListRequest } from '../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../shared/upstream/http-request.ts';
import { readingAt } from './clocks.ts';
import { BASE_URL, type ListRequest, providerCalling, readList } from './provider-calls.ts';
import { type Exchange, RECORDED_AT } from './recorded-posts.ts';

const fixture = (file: string): string => readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8');

export const listExchanges: readonly Exchange[] = JSON.parse(fixture('manifest-lists.json'));

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fetchedOf = ({ file, status, headers }: Exchange): FetchResult => {
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return { kind: 'response', status, json: isJson ? parse(fixture(file)) : undefined, isHtml: !isJson };
};

const required = <T>(reader: T | undefined): T => {
  if (reader === undefined) throw new Error('the provider has no such list');
  return reader;
};

/** Creates a provider that gets the response of each request from a function, and records its requests. */
export const clientCalling = (answer: (url: URL) => FetchResult, requests: string[] = []) => {
  const answerTo = (url: URL): FetchResult => {
    requests.push(url.href.slice(BASE_URL.length));
    return answer(url);
  };
  const provider = providerCalling(createFxTwitter, answerTo, RECORDED_AT);
  return {
    ...provider,
    listPosts: (request: PostListRequest) => required(provider.listPosts(request)),
    listUsers: (request: UserListRequest) => required(provider.listUsers(request)),
  };
};

/** Creates a provider that gets these responses, the last one repeatedly, and records its requests. */
export const clientAnswering = (fetched: FetchResult | readonly FetchResult[], requests: string[] = []) => {
  const answers = [fetched].flat();
  return clientCalling(
    () => (answers.length > 1 ? answers.shift() : answers[0]) ?? { kind: 'failed', why: 'no answer' },
    requests,
  );
};

const POST = /^\/2\/status\/([0-9]+)\//;
const HANDLE = /^\/2\/profile\/([^/?]+)/;

/** Sends the request of an exchange. */
export const readExchange = (
  exchange: Exchange,
  fetched: FetchResult = fetchedOf(exchange),
): Promise<Outcome<unknown>> => {
  const provider = clientAnswering(fetched);
  const url = new URL(exchange.path, 'http://127.0.0.1');
  const budget = { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } };
  const cursor = url.searchParams.get('cursor');
  const page: PageRequest = { size: 20, ...(cursor !== null && { cursor }) };
  const handle = decodeURIComponent(HANDLE.exec(url.pathname)?.[1] ?? 'unknown');
  const query = url.searchParams.get('q') ?? '';
  const kind = url.pathname.split('/').at(-1);
  const [, id = ''] = POST.exec(url.pathname) ?? [];
  const list = (request: ListRequest): Promise<Outcome<unknown>> => required(readList(provider, request, page, budget));
  switch (kind) {
    case 'statuses':
      return list({ list: 'posts', kind: url.searchParams.has('with_replies') ? 'replies' : 'posts', handle });
    case 'media':
    case 'articles':
      return list({ list: 'posts', kind, handle });
    case 'quotes':
    case 'reposts':
      return list({ list: kind, id });
    case 'followers':
    case 'following':
      return list({ list: kind, handle });
    case 'search':
      return list({ list: 'search', query, feed: 'latest' });
    case 'typeahead':
      return list({ list: 'users', query });
    default:
      return provider.readProfile(handle, budget);
  }
};
