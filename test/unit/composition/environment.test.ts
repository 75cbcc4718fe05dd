import { describe, expect, test } from 'vitest';
import {
  httpFromEnvironment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
} from '../../../shared/composition/environment.ts';
import { httpUrl } from '../../../shared/settings/base-parsers.ts';

const baseUrlIn = (from: Record<string, string>, name: string) => parseVariable(from, name, httpUrl);

describe('a variable', () => {
  test.each(['api.example.test', 'https://user:pw@api.example.test'])(
    'that is invalid is rejected with its name and without its value: %s',
    (value) => {
      const read = () => baseUrlIn({ FXTWITTER_BASE_URL: value }, 'FXTWITTER_BASE_URL');
      expect(read).toThrow(/^FXTWITTER_BASE_URL must be an http\(s\) address/);
      expect(read).not.toThrow(/pw/);
    },
  );

  test('that is unset or empty has its default', () => {
    expect(baseUrlIn({}, 'BASE_URL')).toBeUndefined();
    expect(baseUrlIn({ BASE_URL: '' }, 'BASE_URL')).toBeUndefined();
    expect(readVariable({ X: '' }, 'X')).toBeUndefined();
    expect([undefined, '', '60'].map((value) => readCacheTtlSeconds({ CACHE_TTL_SECONDS: value }))).toEqual([
      300, 300, 60,
    ]);
    expect(() => readCacheTtlSeconds({ CACHE_TTL_SECONDS: '86401' })).toThrow(/^CACHE_TTL_SECONDS must be/);
  });
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
      isIndexed: false,
      proxiesPictures: false,
      isUntranslated: false,
    });
    expect(Number.isInteger(httpFromEnvironment({}).clock())).toBe(true);
  });
});
