// Tests which settings each parser accepts, what it makes of them, and the rule that an operator reads.
import { describe, expect, test } from 'vitest';
import {
  cacheTtl,
  contactUri,
  httpUrl,
  type SettingParser,
  wholeNumber,
} from '../../../shared/settings/base-parsers.ts';
import {
  bearerToken,
  handle,
  operatorList,
  paidRowCeiling,
  postId,
  providerNameList,
  secretList,
} from '../../../shared/settings/feature-parsers.ts';

const HASH = 'a'.repeat(64);

interface Row {
  readonly name: string;
  readonly parser: SettingParser<unknown>;
  readonly rule: string;
  readonly accepted: readonly (readonly [text: string, value: unknown])[];
  readonly refused: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: 'httpUrl',
    parser: httpUrl,
    rule: 'must be an http(s) address without credentials, query and fragment',
    accepted: [
      ['https://api.example/', 'https://api.example'],
      ['http://127.0.0.1:3000/fx', 'http://127.0.0.1:3000/fx'],
      ['HTTPS://API.Example.test:443//', 'https://api.example.test'],
      ['https://bücher.example/"><x>', 'https://xn--bcher-kva.example/%22%3E%3Cx%3E'],
      ['https://api.example.test \n', 'https://api.example.test'],
    ],
    refused: [
      '',
      'api.example',
      'https://a@api.example',
      'https://:b@api.example',
      'https://api.example?',
      'https://a#b',
      ' https://a',
      'ftp://a',
      'javascript:alert(1)',
      'https://a:99999',
    ],
  },
  {
    name: 'wholeNumber',
    parser: wholeNumber((value) => value > 1, 'must be more than 1'),
    rule: 'must be more than 1',
    accepted: [
      ['2', 2],
      ['999999', 999_999],
    ],
    refused: ['', '1', '-2', '2.5', '1000000', '2e3', ' 2'],
  },
  {
    name: 'cacheTtl',
    parser: cacheTtl,
    rule: 'must be a whole number of seconds from 0 to 86400',
    accepted: [
      ['0', 0],
      ['86400', 86_400],
    ],
    refused: ['86401', '-1', '1.5', '1e2', '0x10', ' ', '60 '],
  },
  {
    name: 'contactUri',
    parser: contactUri,
    rule: 'must be an address such as mailto:security@example.org or https://example.org/security',
    accepted: [
      ['mailto:a@example.org', 'mailto:a@example.org'],
      ['https://example.org/security', 'https://example.org/security'],
    ],
    refused: ['a@example.org', 'mailto:a', 'http://example.org', 'https://example.org/a b', 'https://'],
  },
  {
    name: 'providerNameList',
    parser: providerNameList,
    rule: 'must be a comma-separated list, in order of preference, of fxtwitter, syndication, x_api',
    accepted: [
      ['fxtwitter', ['fxtwitter']],
      ['x_api, fxtwitter', ['x_api', 'fxtwitter']],
    ],
    refused: ['', 'nitter', 'fxtwitter,nitter', 'fxtwitter,fxtwitter', 'fxtwitter,'],
  },
  {
    name: 'paidRowCeiling',
    parser: paidRowCeiling,
    rule: 'must be a whole number of rows up to 999999, or 0 for no limit',
    accepted: [
      ['0', 0],
      ['2000', 2000],
    ],
    refused: ['1000000', 'none'],
  },
  {
    name: 'handle',
    parser: handle,
    rule: 'must be a handle',
    accepted: [['jack', 'jack']],
    refused: ['', 'not-a-handle'],
  },
  {
    name: 'secretList',
    parser: secretList,
    rule: 'must be a secret, or several separated by commas',
    accepted: [
      ['one', ['one']],
      [' one ,, two', ['one', 'two']],
    ],
    refused: ['', ' , '],
  },
  {
    name: 'bearerToken',
    parser: bearerToken,
    rule: 'must be a token of letters, digits and -._~+/%=',
    accepted: [['AAAA%2Fb-._~+/9==', 'AAAA%2Fb-._~+/9==']],
    refused: ['', 'a b', 'a=b', 'a\n', '=='],
  },
  {
    name: 'postId',
    parser: postId,
    rule: 'must be the id of a post',
    accepted: [['20', '20']],
    refused: ['', '0', '020', 'x'],
  },
  {
    name: 'operatorList',
    parser: operatorList,
    rule: 'must be NAME=SHA-256 of a token in lower-case hexadecimal, or several with different names separated by commas',
    accepted: [
      [`ada=${HASH}`, [{ name: 'ada', tokenHash: HASH }]],
      [
        `ada=${HASH}, b.c-d_e=${HASH}`,
        [
          { name: 'ada', tokenHash: HASH },
          { name: 'b.c-d_e', tokenHash: HASH },
        ],
      ],
    ],
    refused: [
      '',
      'ada',
      `=${HASH}`,
      `ada=${'A'.repeat(64)}`,
      `ada=${HASH}0`,
      `ada=${HASH},ada=${HASH}`,
      `ada=${HASH},`,
      `ada=${HASH}\nbob=${HASH}`,
      `ädä=${HASH}`,
      `${'x'.repeat(41)}=${HASH}`,
    ],
  },
];

describe.each(ROWS)('$name', ({ parser, rule, accepted, refused }) => {
  test.each(accepted)('accepts %j', (text, value) => {
    expect(parser.parse(text)).toEqual(value);
  });

  test.each(refused)('refuses %j', (text) => {
    expect(parser.parse(text)).toBeUndefined();
  });

  test('says the rule', () => {
    expect(parser.rule).toBe(rule);
  });
});
