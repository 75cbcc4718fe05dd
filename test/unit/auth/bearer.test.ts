import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bearer, parseBearer } from '../../../shared/auth/api-key.ts';

interface Case {
  readonly value: string | null;
  readonly expect: 'anonymous' | 'key' | 'malformed';
  readonly token?: string;
}

const { cases } = JSON.parse(readFileSync(new URL('../../fixtures/vectors/bearer.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[];
};

/** A field value has no surrounding white space: API Gateway has removed it. */
const expected = ({ expect: kind, token = '' }: Case): Bearer =>
  kind === 'key' ? { kind: 'token', token } : { kind: kind === 'anonymous' ? 'none' : 'malformed' };

describe('[keys 2] [keys 5] parseBearer', () => {
  test.each(cases)('$value is $expect', (vector) => {
    expect(parseBearer(vector.value ?? undefined)).toEqual(expected(vector));
  });

  test.each([
    ['Bearer a, Basic b', 'malformed'],
    ['Bearer,Bearer', 'malformed'],
    ['Bearer =', 'malformed'],
    ['Bearer a\n', 'malformed'],
    ['Bearer a\u00a0', 'malformed'],
    ['Bearer é', 'malformed'],
    ['Basic a, Bearer b', 'none'],
    ['BearerX a', 'none'],
    ['"Bearer" a', 'none'],
  ])('%j is %s', (value, kind) => {
    expect(parseBearer(value)).toEqual({ kind });
  });

  test('returns only the token after the scheme', () => {
    const scheme = fc.constantFrom('Bearer', 'bearer', 'BEARER', 'bEARER', 'Basic', 'Token', 'Bear', '');
    const between = fc.constantFrom(' ', '  ', '\t', '', ',', '\n');
    const token = fc.oneof(fc.stringMatching(/^[A-Za-z0-9\-._~+/]{1,80}={0,2}$/), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(scheme, between, token, (name, space, value) => {
        const bearer = parseBearer(`${name}${space}${value}`);
        if (bearer.kind !== 'token') return;
        expect(name.toLowerCase()).toBe('bearer');
        expect(`${space}${value}`.trim()).toBe(bearer.token);
      }),
      { numRuns: 2000 },
    );
  });
});
