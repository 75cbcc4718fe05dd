// Tests which settings each parser accepts, what it makes of them, and the rule that an operator reads.
import { expect, test } from 'vitest';
import {
  cacheTtl,
  contactUri,
  httpUrl,
  type SettingParser,
  secretList,
  wholeNumber,
} from '../../../shared/settings/base-parsers.ts';
import {
  bearerToken,
  handle,
  operatorList,
  paidRowCeiling,
  postId,
  providerNameList,
} from '../../../shared/settings/feature-parsers.ts';

const HASH = 'a'.repeat(64);
const ada = { name: 'ada', tokenHash: HASH };

const aboveOne = wholeNumber((value) => value > 1, 'must be more than 1');

type Accepted = readonly (readonly [text: string, value: unknown])[];
type Row = readonly [parser: SettingParser<unknown>, accepted: Accepted, refused: readonly string[]];

/** Each parser with the rule that an operator reads. */
// biome-ignore format: side by side they fit on a screen
const ROWS: Readonly<Record<string, Row>> = {
  'must be an http(s) address without credentials, query and fragment': [
    httpUrl,
    [
      ['http://127.0.0.1:3000/fx', 'http://127.0.0.1:3000/fx'],
      ['HTTPS://API.Example.test:443//', 'https://api.example.test'],
      ['https://bücher.example/"><x>', 'https://xn--bcher-kva.example/%22%3E%3Cx%3E'],
      ['https://api.example.test \n', 'https://api.example.test'],
    ],
    [
      '', 'api.example', 'https://a@api.example', 'https://:b@api.example', 'https://api.example?', 'https://a#b', ' https://a',
      'ftp://a', 'javascript:alert(1)', 'https://a:99999',
    ],
  ],
  'must be more than 1': [
    aboveOne, [['2', 2], ['999999', 999_999]], ['', '1', '-2', '2.5', '1000000', '2e3', ' 2', '2 ', '0x10'],
  ],
  'must be a whole number of seconds from 0 to 86400': [cacheTtl, [['0', 0], ['86400', 86_400]], ['86401']],
  'must be a whole number of rows up to 999999, or 0 for no limit': [paidRowCeiling, [['0', 0], ['2000', 2000]], ['none']],
  'must be an address such as mailto:security@example.org or https://example.org/security': [
    contactUri,
    [
      ['mailto:a@example.org', 'mailto:a@example.org'],
      ['https://example.org/security', 'https://example.org/security'],
    ],
    ['a@example.org', 'mailto:a', 'http://example.org', 'https://example.org/a b', 'https://'],
  ],
  'must be a comma-separated list, in order of preference, of fxtwitter, syndication, x_api': [
    providerNameList,
    [['fxtwitter', ['fxtwitter']], ['x_api, fxtwitter', ['x_api', 'fxtwitter']]],
    ['', 'fxtwitter,nitter', 'fxtwitter,fxtwitter', 'fxtwitter,'],
  ],
  'must be a handle': [handle, [['jack', 'jack']], ['', 'not-a-handle']],
  'must be the id of a post': [postId, [['20', '20']], ['', '0', '020', 'x']],
  'must be a secret, or several separated by commas': [secretList, [[' one ,, two', ['one', 'two']]], ['', ' , ']],
  'must be a token of letters, digits and -._~+/%=': [
    bearerToken, [['AAAA%2Fb-._~+/9==', 'AAAA%2Fb-._~+/9==']], ['', 'a b', 'a=b', 'a\n', '=='],
  ],
  'must be NAME=SHA-256 of a token in lower-case hexadecimal, or several with different names separated by commas': [
    operatorList,
    [[`ada=${HASH}`, [ada]], [`ada=${HASH}, b.c-d_e=${HASH}`, [ada, { ...ada, name: 'b.c-d_e' }]]],
    [
      '', 'ada', `=${HASH}`, `ada=${'A'.repeat(64)}`, `ada=${HASH}0`, `ada=${HASH},ada=${HASH}`, `ada=${HASH},`,
      `ada=${HASH}\nbob=${HASH}`, `ädä=${HASH}`, `${'x'.repeat(41)}=${HASH}`,
    ],
  ],
};

test.each(Object.entries(ROWS))('a setting %s', (rule, [parser, accepted, refused]) => {
  expect(parser.rule).toBe(rule);
  for (const [text, value] of accepted) expect(parser.parse(text), text).toEqual(value);
  for (const text of refused) expect(parser.parse(text), text).toBeUndefined();
});
