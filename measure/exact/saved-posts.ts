// Starts a provider on loopback that knows every post of some ids, and the host of their pictures and videos.
import { createServer } from 'node:http';
import { listen, stop } from '../../infra/local/listen.ts';

export interface SavedPostsOptions {
  readonly count: number;
  /** Pictures of each post, each of up to this many bytes. */
  readonly pictures: number;
  readonly maxBytes: number;
  /** Called before each answer. */
  readonly onRequest?: () => void;
}

const FIRST_ID = 2_030_000_000_000_000_000n;

/** @returns the same bytes for the same path */
export const pictureAt = (path: string, maxBytes: number): Buffer => {
  const seed = [...path].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_521, 7);
  return Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(12 + ((seed * 997) % maxBytes), path)]);
};

export const startSavedPosts = async ({ count, pictures, maxBytes, onRequest }: SavedPostsOptions) => {
  const ids = Array.from({ length: count }, (_, index) => String(FIRST_ID + BigInt(index) * 4_194_304n));
  const pathsOf = (id: string): readonly string[] =>
    Array.from({ length: pictures }, (_, index) => `/media/P${id}x${index}.jpg`);
  const statusOf = (id: string) => ({
    type: 'status',
    id,
    text: `Post ${id}: a quiet tide`,
    author: { type: 'profile', screen_name: 'ada', id: '1', name: 'Ada' },
    created_timestamp: 1_772_700_000,
    media: { all: pathsOf(id).map((path) => ({ type: 'photo', url: `https://pbs.twimg.com${path}?name=orig` })) },
  });
  const server = createServer((incoming, response) => {
    onRequest?.();
    const { pathname } = new URL(incoming.url ?? '', 'http://127.0.0.1');
    if (pathname.startsWith('/media/')) {
      const body = pictureAt(pathname, maxBytes);
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': body.length });
      response.write(body.subarray(0, body.length / 2), () =>
        setImmediate(() => response.end(body.subarray(body.length / 2))),
      );
      return;
    }
    const [id = ''] = /\d{19}/.exec(pathname) ?? [];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 200, status: statusOf(id), thread: null }));
  });
  const origin = await listen(server, '127.0.0.1', 0);
  return { origin, ids, pathsOf, close: () => stop(server) };
};
