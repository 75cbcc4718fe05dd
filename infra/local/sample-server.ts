// Replays the bundled answers of the providers on loopback. A request that was not recorded gets the provider's answer
// for missing data. Conversations and lists are built from all recorded posts, so that each of these posts can be requested.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { isRecord } from '../../shared/model/json.ts';
import { type LaidOut, layoutOf, type RawPost } from './conversation-layout.ts';
import { listen, stop } from './listen.ts';
import { sampleListsOf } from './sample-lists.ts';
import { drawPicture, sizesIn } from './sample-pictures.ts';

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

/** Parameters that do not change a recorded answer: the language of an embed, derived token, count, and default values. */
const isIgnoredParameter = (name: string, value: string): boolean =>
  ['lang', 'token', 'count', 'about_account'].includes(name) ||
  (name === 'ranking_mode' && value === 'likes') ||
  (name === 'feed' && value === 'latest');

/** Handles are case-insensitive. */
const pathOf = ({ pathname }: URL): string => (pathname.startsWith('/2/profile/') ? pathname.toLowerCase() : pathname);

/** Equal requests have the same key, independent of the order of their parameters. @param language @default it is ignored */
const requestKey = (provider: string, path: string, language?: string): string => {
  const url = new URL(path, 'http://sample');
  const query = [...url.searchParams, ...(language === undefined ? [] : [['translation', language] as const])]
    .filter(([name, value]) => !isIgnoredParameter(name, value))
    .map(([name, value]) => `${name}=${value}`);
  return `${provider} ${pathOf(url)}?${query.toSorted().join('&')}`;
};

/** Only single posts of FxTwitter have recorded translations. */
const languageOf = (path: string): string | undefined => /^\/2\/status\/.*[?&]lang=([a-z-]+)/.exec(path)?.[1];

const jsonAnswer = (status: number, body: string): Answer => ({ status, type: 'application/json', body });

const NO_LIST = '"results":[],"cursor":{"top":null,"bottom":null}';

const EMPTY_LIST = jsonAnswer(200, `{"code":200,${NO_LIST}}`);

/** The provider's answers for missing data; the first match applies. A search always has an answer. */
const missingAnswers: readonly (readonly [provider: string, path: RegExp, answer: Answer])[] = [
  // The recorded people are suggestions.
  ['fxtwitter', /^\/2\/search\/users\b/, jsonAnswer(404, `{"code":404,${NO_LIST}}`)],
  ['fxtwitter', /^\/2\/search\b/, EMPTY_LIST],
  [
    'fxtwitter',
    /^\/2\/typeahead\b/,
    jsonAnswer(200, '{"code":200,"query":"","num_results":0,"users":[],"topics":[],"events":[]}'),
  ],
  ['fxtwitter', /^\/2\/profile\/[^/]+$/, jsonAnswer(404, '{"code":404,"message":"User not found"}')],
  ['fxtwitter', /^\/2\/profile\//, jsonAnswer(404, `{"code":404,${NO_LIST}}`)],
  ['fxtwitter', /./, jsonAnswer(404, '{"code":404,"status":null,"thread":null,"author":null}')],
  [
    'x_api',
    /./,
    jsonAnswer(
      200,
      '{"errors":[{"title":"Not Found Error","type":"https://api.twitter.com/2/problems/resource-not-found"}]}',
    ),
  ],
  ['syndication', /./, { status: 404, type: 'text/html', body: '<!DOCTYPE html><title>404</title>' }],
];

const findMissingAnswer = (provider: string, path: string): Answer | undefined =>
  missingAnswers.find(([name, pattern]) => name === provider && pattern.test(path))?.[2];

const CURSOR = /&cursor=[^&]*/;

const TIMELINE = /^\/2\/profile\/([^/]+)\/(?:statuses|media|articles)$/;

const PROFILE_ID = /(?<=^\/2\/profile\/)id:([0-9]+)/;

const POST = /^\/2\/(status|thread|conversation)\/([0-9]+)$/;

/** The posts in a recorded answer about a post: the post and the posts around it. */
const postsIn = ({ status, body }: Answer): readonly RawPost[] => {
  const recorded: unknown = status === 200 ? JSON.parse(body) : undefined;
  if (!isRecord(recorded)) return [];
  return [recorded['status'], recorded['thread'], recorded['replies']].flat().filter(isRecord);
};

const asAnswer = ({ status, body }: LaidOut): Answer => jsonAnswer(status, JSON.stringify(body));

/** The answer about a post that is known only from a list or as a quote. */
const asSinglePost = (post: RawPost): Answer =>
  asConversation(asAnswer({ status: 200, body: { status: post, author: post['author'], code: 200 } }));

/** Turns a recorded answer under another id, such as that of a repost, into a conversation without replies. */
const asConversation = ({ status, type, body }: Answer): Answer => {
  const recorded: unknown = JSON.parse(body);
  if (status !== 200 || !isRecord(recorded)) return { status, type, body };
  return {
    status,
    type,
    body: JSON.stringify({ ...recorded, thread: [recorded['status']], replies: [], cursor: null }),
  };
};

const NOTHING = jsonAnswer(404, 'null');

type Replay = (provider: string, path: string) => Answer | undefined;

const loadReplay = (): { readonly replay: Replay; readonly bodies: readonly string[]; readonly size: number } => {
  const manifest: readonly RecordedExchange[] = JSON.parse(read('manifest.json'));
  const recorded = new Map(
    manifest.map(({ provider, path, status, content_type, file }) => [
      requestKey(provider, path, languageOf(path)),
      { status, type: content_type, body: read(file) },
    ]),
  );
  const isAboutPost = (path: string): boolean => POST.test(path.replace(/\?.*/, ''));
  const about = manifest.filter(({ provider, path }) => provider === 'fxtwitter' && isAboutPost(path));
  const recordedAt = (path: string): Answer | undefined => recorded.get(requestKey('fxtwitter', path));
  const posts = about.flatMap(({ path }) => postsIn(recordedAt(path) ?? NOTHING));
  const layout = layoutOf(posts, { hasLaterPages: true });
  const lists = sampleListsOf(
    manifest
      .filter(({ provider, status }) => provider === 'fxtwitter' && status === 200)
      .toSorted((a, b) => Number(isAboutPost(b.path)) - Number(isAboutPost(a.path)))
      .map(({ file }): unknown => JSON.parse(read(file))),
  );

  /** A missing post is recorded only on the route for single posts. The route of threads gives its reason, too. */
  const post = (provider: string, path: string): Answer | undefined => {
    const { pathname, searchParams } = new URL(path, 'http://sample');
    const [, route = '', id = ''] = POST.exec(pathname) ?? [];
    if (provider !== 'fxtwitter' || id === '') return undefined;
    const single = recordedAt(`/2/status/${id}`);
    if (single !== undefined && single.status === 200 && !layout.has(id)) return asConversation(single);
    if (single !== undefined && single.status !== 200 && route === 'thread') return single;
    const listed = lists.posts.get(id);
    if (listed !== undefined && !layout.has(id)) return asSinglePost(listed);
    return asAnswer(layout.answer(route, id, searchParams));
  };
  /** The list ends after its last recorded page. */
  const afterTheEnd = (provider: string, path: string): Answer | undefined => {
    const first = path.replace(CURSOR, '');
    const isList = first !== path && recorded.get(requestKey(provider, first))?.status === 200;
    return isList ? EMPTY_LIST : undefined;
  };
  /** A timeline is built from posts, unless the posts of the profile cannot be read or there are none. */
  const list = (provider: string, path: string): Answer | undefined => {
    const url = new URL(path, 'http://sample');
    if (provider !== 'fxtwitter') return undefined;
    const conversation = url.pathname === '/2/search' ? layout.search(url.searchParams) : undefined;
    if (conversation !== undefined) return asAnswer(conversation);
    const [, handle] = TIMELINE.exec(url.pathname) ?? [];
    const posts = handle === undefined ? undefined : recordedAt(`/2/profile/${handle}/statuses`);
    if (posts !== undefined && posts.status !== 200) return posts;
    const body = lists.answer(url);
    return body === undefined ? posts && EMPTY_LIST : asAnswer({ status: 200, body });
  };
  const byHandle = (path: string): string => path.replace(PROFILE_ID, (_, id: string) => lists.handles.get(id) ?? '-');
  const replay: Replay = (provider, given) => {
    const path = byHandle(given);
    return (
      recorded.get(requestKey(provider, path, languageOf(path))) ??
      recorded.get(requestKey(provider, path)) ??
      post(provider, path) ??
      afterTheEnd(provider, path) ??
      list(provider, path) ??
      findMissingAnswer(provider, path)
    );
  };
  const bodies = [...recorded.values()].filter(({ type }) => type.includes('json')).map(({ body }) => body);
  return { replay, bodies, size: manifest.length };
};

/** Every video of the sample is this one. A player asks for parts of it (RFC 9110 section 14.2). */
const sendVideo = (response: ServerResponse, range = ''): void => {
  const file = readFileSync(new URL('harbour.mp4', SAMPLE));
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const first = Number(from);
  const last = to === '' ? file.length - 1 : Math.min(Number(to), file.length - 1);
  const isPart = from !== '' && first <= last;
  const body = isPart ? file.subarray(first, last + 1) : file;
  response.writeHead(isPart ? 206 : 200, {
    'Content-Type': 'video/mp4',
    'Content-Length': body.length,
    ...(isPart && { 'Content-Range': `bytes ${first}-${last}/${file.length}` }),
  });
  response.end(body);
};

const REQUEST = /^\/([a-z_]+)(\/.*)$/;

const listener = (replay: Replay, bodies: readonly string[]): RequestListener => {
  let sizes: ReturnType<typeof sizesIn> | undefined;
  return (request, response) => {
    const [, provider = '', path = ''] = REQUEST.exec(request.url ?? '') ?? [];
    if (provider === 'video') {
      sendVideo(response, request.headers.range);
      return;
    }
    if (provider === 'pbs') {
      sizes ??= sizesIn(bodies.map((body): unknown => JSON.parse(body)));
      const picture = drawPicture(new URL(path, 'http://pbs'), sizes);
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': picture.length }).end(picture);
      return;
    }
    const { status, type, body } = replay(provider, path) ?? { status: 404, type: 'text/plain', body: '' };
    response.writeHead(status, { 'Content-Type': type }).end(body);
  };
};

export interface SampleServer {
  /** The base URL of a provider is this origin and the name of the provider. */
  readonly origin: string;
  /** Number of recorded answers. */
  readonly size: number;
  close(): Promise<void>;
}

/** @param port 0 for any free port */
export const startSampleServer = async (host = '127.0.0.1', port = 0): Promise<SampleServer> => {
  const { replay, bodies, size } = loadReplay();
  const server = createServer(listener(replay, bodies));
  const origin = await listen(server, host, port);
  return { origin, size, close: () => stop(server) };
};
