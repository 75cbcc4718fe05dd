// The base URL that an answer names, from the host that the edge saw.
import { expect, test } from 'vitest';
import { EDGE_HEADERS } from '../../../shared/contract/headers.ts';
import { baseUrlOf } from '../../../shared/http/event.ts';
import { event } from '../../support/event.ts';

const settings = { originSecrets: ['local'], baseUrl: undefined, cacheTtlSeconds: 300 };

const LABEL = 'a'.repeat(63);

/** A valid host name with so many characters. */
const hostWith = (length: number): string => `${LABEL}.${LABEL}.${LABEL}.`.concat('b'.repeat(length - 3 * 64));

const baseUrlFor = (host: string): string =>
  baseUrlOf(event('/', { headers: { [EDGE_HEADERS.viewerHost]: host } }), settings, true);

test('baseUrlOf() names a host of 253 characters, the longest that DNS allows', () => {
  const host = hostWith(253);
  expect(host).toHaveLength(253);
  expect(baseUrlFor(host)).toBe(`https://${host}`);
});

test('baseUrlOf() does not name a host of 254 characters', () => {
  const host = hostWith(254);
  expect(baseUrlFor(host)).not.toContain(host);
});
