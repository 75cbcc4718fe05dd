// Serves lists of FxTwitter on loopback with the pages that a test sets: short, empty or repeated.
import type { IncomingMessage } from 'node:http';
import { type Behaviour, json } from './fault-server.ts';

const profile = (handle: string) => ({ type: 'profile', screen_name: handle, id: `id-${handle}`, name: handle });

const status = (id: string) => ({
  type: 'status',
  id,
  text: `post ${id}`,
  author: profile('ada'),
  created_timestamp: 1_774_000_800,
});

/** The items of a page: ids of posts or handles of accounts. */
export type Pages = readonly (readonly string[])[];

const entriesOf = (path: string, ids: readonly string[]): readonly object[] =>
  /\/follow(?:ers|ing)\b/.test(path) ? ids.map(profile) : ids.map(status);

/** Page `n` has the cursor `n`. The last page points to itself, as on X. */
export const pagesBehaviour =
  (pages: Pages): Behaviour =>
  (incoming: IncomingMessage, response) => {
    const url = new URL(incoming.url ?? '', 'http://127.0.0.1');
    const at = Number(url.searchParams.get('cursor')?.replace('page|', '') ?? '0');
    const next = Math.min(at + 1, pages.length - 1);
    const cursor = { top: `top|${at}`, bottom: `page|${next}` };
    json({ code: 200, results: entriesOf(url.pathname, pages[at] ?? []), cursor })(incoming, response);
  };

export const profileBehaviour =
  (handle: string): Behaviour =>
  (incoming, response) =>
    json({ code: 200, user: profile(handle) })(incoming, response);
