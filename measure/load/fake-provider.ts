// Serves every answer of FxTwitter on one port, fast, so that a load test measures the service and not its provider.
// Subjects whose name says so are slow or fail, so that one caller can have trouble while the provider is healthy. A mode
// makes the whole provider slow or failing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Subject } from '../../test/support/faults/surfaces.ts';
import type { Random } from '../../test/support/random.ts';
import { parseProviderPath } from '../../test/support/truthful-provider.ts';

export type ProviderMode = 'healthy' | 'slow' | 'failing' | 'faulty';

/** The kinds of subject. The first digit of an id, or the first word of a handle or of a query, names the kind. */
export const subjectKinds = ['healthy', 'slow', 'failing'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export const requestedResource = (kind: SubjectKind, index: number): Subject => ({
  id: `${1 + subjectKinds.indexOf(kind)}${String(index).padStart(11, '0')}`,
  handle: `${kind}_${index.toString(36)}`,
});

/** The slow answer leaves each request enough time: the attempt has 4.5 s and the request 8 s. */
export const SLOW_MILLISECONDS = 2000;
const HEALTHY_MILLISECONDS = 10;
const ITEMS_PER_PAGE = 20;

const profile = (handle: string, index = 0) => ({
  type: 'profile',
  screen_name: handle,
  id: String(900_000 + index),
  name: `Name of ${handle}`,
  description: 'Measures tides. Opinions are those of the harbour. https://tides.example',
  followers: 704 + index,
  following: 229,
  statuses: 10_654,
  likes: 88_005,
  location: 'Accra, Ghana',
  joined: 'Mon Apr 13 08:12:27 +0000 2009',
  avatar_url: `https://pbs.twimg.com/profile_images/${900_000 + index}/a_normal.jpg`,
  protected: false,
});

const status = (id: string, handle: string) => ({
  type: 'status',
  source: 'Web',
  id,
  url: `https://x.com/${handle}/status/${id}`,
  text: `The tide of ${id} is *higher* than [expected] at the harbour; the table is at https://tides.example/${id} and the gauge stood still for an hour.`,
  author: profile(handle),
  created_timestamp: 1_774_000_800,
  likes: 12,
  reposts: 3,
  replies: 5,
  views: 4711,
  lang: 'en',
});

const cursor = { top: null, bottom: null };

const posts = (handle: string): readonly object[] =>
  Array.from({ length: ITEMS_PER_PAGE }, (_, index) => status(String(1_000_000_000 + index), handle));

const users: readonly object[] = Array.from({ length: ITEMS_PER_PAGE }, (_, index) => profile(`user_${index}`, index));

const conversationOf = (id: string) => {
  const post = status(id, 'ada');
  const replies = Array.from({ length: 5 }, (_, index) => ({
    ...status(String(500_000 + index), `reader_${index}`),
    replying_to: { screen_name: 'ada', status: id },
  }));
  return { code: 200, status: post, thread: [post], replies, cursor: null };
};

/** @returns undefined: the target is not one of FxTwitter */
const bodyOf = (target: string): object | undefined => {
  const { kind, subject } = parseProviderPath(target);
  switch (kind) {
    case 'post':
      return target.startsWith('/2/status/') ? { code: 200, status: status(subject, 'ada') } : conversationOf(subject);
    case 'follows':
      return { code: 200, results: users, cursor };
    case 'timeline':
      return { code: 200, results: posts(subject), cursor };
    case 'profile':
      return { code: 200, message: 'OK', user: profile(subject) };
    case 'search':
      return { code: 200, results: posts('ada'), cursor };
    default:
      return undefined;
  }
};

const kindOf = (target: string): SubjectKind => {
  const { subject } = parseProviderPath(target);
  const isOurId = /^\d+$/.test(subject) && subject.length === requestedResource('healthy', 0).id.length;
  const byId = isOurId ? subjectKinds[Number(subject[0]) - 1] : undefined;
  return byId ?? subjectKinds.find((kind) => kind === subject.split('_')[0]) ?? 'healthy';
};

const fail = (incoming: IncomingMessage, response: ServerResponse, turn: number): void => {
  if (turn % 2 === 0) incoming.socket.resetAndDestroy();
  else response.writeHead(500, { 'content-type': 'application/json' }).end('{"code":500}');
};

/** @param faultShare of the calls in the mode `faulty` */
export const createFakeProvider = ({
  faultShare,
  random,
}: {
  readonly faultShare: number;
  readonly random: Random;
}) => {
  let mode: ProviderMode = 'healthy';
  let calls = 0;
  const server = createServer((incoming, response) => {
    calls += 1;
    const target = incoming.url ?? '';
    const kind = kindOf(target);
    const isFailing = mode === 'failing' || kind === 'failing' || (mode === 'faulty' && random() < faultShare);
    if (isFailing) return fail(incoming, response, calls);
    const body = bodyOf(target);
    const send = (): void =>
      void response
        .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body ?? { code: 404 }));
    setTimeout(send, mode === 'slow' || kind === 'slow' ? SLOW_MILLISECONDS : HEALTHY_MILLISECONDS);
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  return {
    server,
    setMode: (next: ProviderMode): void => {
      mode = next;
    },
    calls: () => calls,
  };
};
