import { describe, expect, test } from 'vitest';
import {
  httpFromEnvironment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
} from '../../../shared/composition/environment.ts';
import { httpUrl } from '../../../shared/settings/base-parsers.ts';

const baseAddress = (from: Record<string, string>, name: string) => parseVariable(from, name, httpUrl);

const BAD_ADDRESSES = [
  'api.example.test',
  'ftp://api.example.test',
  'javascript:alert(1)',
  'https://',
  'http:/x',
  'https://user:pw@api.example.test',
  'https://user@api.example.test',
  'https://api.example.test?x=1',
  'https://api.example.test/?',
  'https://api.example.test/#top',
  'https://api.example.test:99999',
  'https://exa mple.test',
];

describe('an address', () => {
  test.each([
    ['https://api.example.test', 'https://api.example.test'],
    ['https://api.example.test/', 'https://api.example.test'],
    ['https://api.example.test///', 'https://api.example.test'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    ['https://example.test/fx/', 'https://example.test/fx'],
    ['HTTPS://API.Example.test:443', 'https://api.example.test'],
    [' https://api.example.test', undefined],
    ['https://api.example.test \n', 'https://api.example.test'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://example.test/"><x>', 'https://example.test/%22%3E%3Cx%3E'],
  ])('%j is read as %j', (value, expected) => {
    const read = () => baseAddress({ BASE_URL: value }, 'BASE_URL');
    if (expected === undefined) expect(read).toThrow(/BASE_URL/);
    else expect(read()).toBe(expected);
  });

  test.each(BAD_ADDRESSES)('%j is refused under the name of its variable, without being repeated', (value) => {
    const read = () => baseAddress({ FXTWITTER_BASE_URL: value }, 'FXTWITTER_BASE_URL');
    expect(read).toThrow(/^FXTWITTER_BASE_URL must be an http\(s\) address/);
    expect(read).not.toThrow(/pw/);
  });

  test('unset or empty is none', () => {
    expect(baseAddress({}, 'BASE_URL')).toBeUndefined();
    expect(baseAddress({ BASE_URL: '' }, 'BASE_URL')).toBeUndefined();
    expect(readVariable({ X: '' }, 'X')).toBeUndefined();
  });
});

describe('CACHE_TTL_SECONDS', () => {
  test.each([
    [undefined, 300],
    ['', 300],
    ['0', 0],
    ['00', 0],
    ['60', 60],
    ['86400', 86_400],
  ])('%j is %d', (value, seconds) => {
    expect(readCacheTtlSeconds({ CACHE_TTL_SECONDS: value })).toBe(seconds);
  });

  test.each([' ', '-1', '1.5', '86401', '1e2', '0x10', 'five', 'NaN', 'Infinity', '60 ', '9999999999'])(
    '%j is refused',
    (value) => {
      expect(() => readCacheTtlSeconds({ CACHE_TTL_SECONDS: value })).toThrow(
        'CACHE_TTL_SECONDS must be a whole number of seconds from 0 to 86400',
      );
    },
  );
});

describe('the door', () => {
  test('takes one or two origin secrets, and none refuses everything', () => {
    const secrets = (value?: string) => httpFromEnvironment({ ORIGIN_SECRETS: value }).settings.originSecrets;
    expect(secrets('new, old')).toEqual(['new', 'old']);
    expect(secrets(' one ')).toEqual(['one']);
    expect(secrets(',,')).toEqual([]);
    expect(secrets('')).toEqual([]);
    expect(secrets()).toEqual([]);
  });

  test('has the defaults of the documentation', () => {
    expect(httpFromEnvironment({}).settings).toEqual({ baseUrl: undefined, originSecrets: [], cacheTtlSeconds: 300 });
    expect(Number.isInteger(httpFromEnvironment({}).clock())).toBe(true);
  });

  test('does not open with a wrong setting', () => {
    expect(() => httpFromEnvironment({ BASE_URL: 'nowhere' })).toThrow(/^BASE_URL/);
    expect(() => httpFromEnvironment({ CACHE_TTL_SECONDS: 'long' })).toThrow(/^CACHE_TTL_SECONDS/);
  });
});
