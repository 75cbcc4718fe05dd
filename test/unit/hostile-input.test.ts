// Compares the readers of cursors and URLs with generators that know what each text means.
// `FUZZ_SEED=… FUZZ_RUNS=…` chooses other cases and their number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxTarget, parseBox } from '../../shared/model/box.ts';
import type { ListKey } from '../../shared/model/lists.ts';
import { parsePostLink, parsePostUrl, parseProfileUrl } from '../../shared/model/x-urls.ts';
import { addressTexts, postUrls } from '../generators/addresses.ts';
import { forgedCursors, positions } from '../generators/cursors.ts';
import { readRuns } from '../generators/seed.ts';
import { cursors } from '../support/test-app.ts';

const numRuns = readRuns(2000);

/** A longer text is no URL for the box. */
const MAX_URL_CHARACTERS = 2048;

const LISTS: readonly ListKey[] = [
  ['followers', 'jack'],
  ['followers', 'jac', 'k'],
  ['followers'],
  ['following', 'jack'],
  ['search', 'a', 'latest'],
  [''],
];

test('[bounds 3] a list decodes its own cursor and no forged one', () => {
  const cases = fc
    .tuple(positions, fc.constantFrom(...LISTS))
    .chain(([position, list]) =>
      fc.tuple(fc.constant(position), fc.constant(list), forgedCursors(cursors.encode(list, position), list)),
    );
  fc.assert(
    fc.property(cases, ([position, list, forged]) => {
      const cursor = cursors.encode(list, position);
      expect(cursors.decode(list, cursor)).toEqual(position);
      expect(cursors.decode(list, forged)).toBeUndefined();
      for (const other of LISTS) if (other !== list) expect(cursors.decode(other, cursor)).toBeUndefined();
    }),
    { numRuns: numRuns / 2 },
  );
});

test('[urls 1] [urls 9] [urls 11] parsePostUrl returns the post from which each spelling of a URL was built', () => {
  fc.assert(
    fc.property(postUrls, ({ text, ref }) => {
      const result = parsePostUrl(text);
      expect([text, 'error' in result ? undefined : result]).toEqual([text, ref]);
    }),
    { numRuns },
  );
});

test('parsePostLink and parseProfileUrl read only URLs without credentials of known hosts', () => {
  const origin = 'https://postern.example';
  const knownHost =
    /^(?:postern\.example|(?:(?:www\.|mobile\.|m\.)?(?:x|twitter)|(?:www\.)?(?:fxtwitter|vxtwitter|fixupx|fixvx|twittpr|xcancel))\.com|(?:www\.)?nitter\.net)\.?$/;
  fc.assert(
    fc.property(addressTexts, (text) => {
      const post = parsePostLink(text, origin);
      const handle = 'error' in post ? parseProfileUrl(text, origin) : post.handle;
      if (!('error' in post)) expect(post.id).toMatch(/^[1-9][0-9]{0,18}$/);
      else if (handle === undefined) return;
      expect(handle ?? '_').toMatch(/^[A-Za-z0-9_]{1,15}$/);
      const written = text.trim();
      const url = new URL(/^https?:\/\//i.test(written) ? written : `https://${written.replace(/^\/\//, '')}`);
      expect([url.username, url.password]).toEqual(['', '']);
      expect(url.hostname).toMatch(knownHost);
    }),
    { numRuns },
  );
});

test('every text in the box leads to a path of the service that has the same meaning', () => {
  const origin = 'https://postern.example';
  fc.assert(
    fc.property(addressTexts, (text) => {
      const meaning = parseBox(text, origin);
      if (meaning === undefined || meaning.kind === 'error') return;
      const { path, query } = boxTarget(meaning);
      const url = new URL(path, origin);
      for (const [name, value] of Object.entries(query ?? {}))
        if (value !== undefined) url.searchParams.set(name, value);
      expect([url.origin, url.username, url.hash]).toEqual([origin, '', '']);
      expect(path).toMatch(/^\/[A-Za-z0-9_]+(?:\/[a-z_0-9]+)*$/);
      if (url.href.length > MAX_URL_CHARACTERS) return;
      const again = parseBox(url.href, origin);
      expect(again).toBeDefined();
      if (meaning.kind === 'search') expect(again).toMatchObject({ kind: 'search', query: meaning.query.trim() });
      else expect(again?.kind).toBe(meaning.kind);
    }),
    { numRuns },
  );
});
