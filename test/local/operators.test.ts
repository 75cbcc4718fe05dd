import { describe, expect, test } from 'vitest';
import { resolveOperatorToken } from '../../infra/local/local-environment.ts';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { operatorList } from '../../shared/settings/feature-parsers.ts';

/** As short as a token may be. */
const ADAS_TOKEN = 'token-of-ada'.padEnd(32, '-');
const ada = { name: 'ada', tokenHash: sha256Hex(ADAS_TOKEN) };
const bob = { name: 'bob', tokenHash: sha256Hex('token of bob') };

const A = ada.tokenHash;
const B = bob.tokenHash;

describe('the operators of the local service', () => {
  test('a token of fewer than 32 characters is rejected at the start', () => {
    expect(() => resolveOperatorToken({ ADMIN_TOKEN: ADAS_TOKEN.slice(1) })).toThrow(
      'ADMIN_TOKEN must have at least 32 characters',
    );
  });

  test('without a token, a random token is generated', () => {
    const [first, second] = [
      resolveOperatorToken({}),
      resolveOperatorToken({ ADMIN_TOKEN: '', ADMIN_TOKEN_HASHES: '' }),
    ];
    expect(first.generated).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first.generated).not.toBe(second.generated);
    for (const { generated = '', environment } of [first, second]) {
      expect(environment).toEqual({ ADMIN_TOKEN: '', ADMIN_TOKEN_HASHES: `operator=${sha256Hex(generated)}` });
    }
  });

  test('ADMIN_TOKEN names an operator beside those of ADMIN_TOKEN_HASHES, and functions get only hashes', () => {
    const variables = { ADMIN_TOKEN_HASHES: `bob=${B}` };
    expect(resolveOperatorToken(variables)).toEqual({
      environment: { ADMIN_TOKEN: '', ADMIN_TOKEN_HASHES: `bob=${B}` },
    });
    const { environment, generated } = resolveOperatorToken({ ...variables, ADMIN_TOKEN: ADAS_TOKEN });
    expect([environment['ADMIN_TOKEN'], generated]).toEqual(['', undefined]);
    expect(operatorList.parse(environment['ADMIN_TOKEN_HASHES'] ?? '')).toEqual([
      bob,
      { name: 'operator', tokenHash: A },
    ]);
  });
});
