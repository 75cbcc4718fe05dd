// The answers that programs read through generated clients: a lookup with a tombstone, an article, a profile with quotes of
// every form, and a problem document.
import { expect } from 'vitest';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';

const LOOKUP = '/api/v1/posts/lookup?ids=20,1990000000000000001&format=json';
const ARTICLE = '/api/v1/posts?handle=i&id=2033845798302647530&thread=off&format=json';
const PROFILE = '/api/v1/profiles/haru_k?format=json';
const DELETED = '/api/v1/posts?handle=i&id=1990000000000000001&format=json';

/** @returns a local service on the sample that refuses no call of a client */
export const startForClients = () =>
  startSlowService(localOptions({ ...AMPLE_ALLOWANCES, CURSOR_SECRETS: 'x'.repeat(48) }));

/** Clients may write an instant with another offset or fraction. The time of the read is that of each answer. */
const comparable = (json: string, omitsNull: boolean): unknown =>
  JSON.parse(json, (name, member) => {
    if (name === 'fetched_at' || (omitsNull && member === null)) return undefined;
    return typeof member === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)$/.test(member)
      ? new Date(member).toISOString()
      : member;
  });

/**
 * Compares the first four lines that a program printed with the answers of the service.
 * @param omitsNull whether the client writes no member that is null
 */
export const expectAnswers = async (origin: string, printed: string, omitsNull = false): Promise<void> => {
  const paths = [LOOKUP, ARTICLE, PROFILE, DELETED];
  const bodies = await Promise.all(paths.map(async (path) => (await sendRequest(origin, path)).body));
  const [lookup, article, profile] = bodies;
  expect(lookup).toContain('"unavailable":true,"reason":"deleted"');
  expect(article).toContain('"bold":true');
  expect(profile).toMatch(/"quote":\{"id":"\d+","url":"[^"]+","text":/);
  const lines = printed.trim().split('\n').slice(0, paths.length);
  expect(lines.map((line) => comparable(line, omitsNull))).toEqual(bodies.map((body) => comparable(body, omitsNull)));
};
