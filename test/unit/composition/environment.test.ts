import { describe, expect, test } from 'vitest';
import {
  httpFromEnvironment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
} from '../../../shared/composition/environment.ts';
import { httpUrl } from '../../../shared/settings/base-parsers.ts';

const baseUrlIn = (from: Record<string, string>, name: string) => parseVariable(from, name, httpUrl);

// biome-ignore format: side by side they fit on a screen
const INVALID_URLS = [
  'api.example.test', 'ftp://api.example.test', 'javascript:alert(1)', 'https://', 'http:/x',
  'https://user:pw@api.example.test', 'https://user@api.example.test', 'https://api.example.test?x=1',
  'https://api.example.test/?', 'https://api.example.test/#top', 'https://api.example.test:99999',
  'https://exa mple.test',
];

describe('BASE_URL', () => {
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
  ])('BASE_URL %j is parsed to %j', (value, expected) => {
    const read = () => baseUrlIn({ BASE_URL: value }, 'BASE_URL');
    if (expected === undefined) expect(read).toThrow(/BASE_URL/);
    else expect(read()).toBe(expected);
  });

  test.each(INVALID_URLS)('BASE_URL %j is rejected with the name of the variable and without the value', (value) => {
    const read = () => baseUrlIn({ FXTWITTER_BASE_URL: value }, 'FXTWITTER_BASE_URL');
    expect(read).toThrow(/^FXTWITTER_BASE_URL must be an http\(s\) address/);
    expect(read).not.toThrow(/pw/);
  });

  test('an unset or empty BASE_URL is undefined', () => {
    expect(baseUrlIn({}, 'BASE_URL')).toBeUndefined();
    expect(baseUrlIn({ BASE_URL: '' }, 'BASE_URL')).toBeUndefined();
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
  ])('CACHE_TTL_SECONDS %j is %d', (value, seconds) => {
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

describe('httpFromEnvironment', () => {
  test('httpFromEnvironment accepts one or two origin secrets; without a secret every request is rejected', () => {
    const secrets = (value?: string) => httpFromEnvironment({ ORIGIN_SECRETS: value }).settings.originSecrets;
    expect(secrets('new, old')).toEqual(['new', 'old']);
    expect(secrets(' one ')).toEqual(['one']);
    expect(secrets(',,')).toEqual([]);
    expect(secrets('')).toEqual([]);
    expect(secrets()).toEqual([]);
  });

  test('httpFromEnvironment has the documented defaults', () => {
    expect(httpFromEnvironment({}).settings).toEqual({
      baseUrl: undefined,
      originSecrets: [],
      cacheTtlSeconds: 300,
      isSample: false,
    });
    expect(Number.isInteger(httpFromEnvironment({}).clock())).toBe(true);
  });
});
