// Generates IP addresses and URLs of posts together with their meaning: from a meaning, every spelling is built, so a
// parser is compared with the builder and not with another parser.
import fc from 'fast-check';
import { nastyString } from './nasty-strings.ts';
import { weighted } from './seed.ts';

export interface SpelledAddress {
  readonly text: string;
  /** The network that the limits count: an IPv4 address whole, an IPv6 address by its first 64 bits. */
  readonly network: string;
}

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
const ports = fc.constantFrom('', ':1', ':443', ':65535');
const margins = fc.constantFrom('', ' ', '\t');

const hex = (value: number): string => value.toString(16);

const ipv4: fc.Arbitrary<SpelledAddress> = fc.tuple(octets, ports, margins).map(([bytes, port, margin]) => ({
  text: `${margin}${bytes.join('.')}${port}${margin}`,
  network: `4:${bytes.join('.')}`,
}));

/** IPv4-mapped (RFC 4291 section 2.5.5.2), with the last 32 bits in either notation. */
const mapped: fc.Arbitrary<SpelledAddress> = fc
  .tuple(
    octets,
    fc.boolean(),
    fc.constantFrom('::ffff:', '::FFFF:', '0:0:0:0:0:ffff:', '0000:0000:0000:0000:0000:ffff:'),
  )
  .map(([[a, b, c, d], isDotted, prefix]) => ({
    text: prefix + (isDotted ? [a, b, c, d].join('.') : `${hex(a * 256 + b)}:${hex(c * 256 + d)}`),
    network: `4:${a}.${b}.${c}.${d}`,
  }));

const compressed = (parts: readonly number[]): string => {
  const from = parts.indexOf(0);
  if (from < 0) return parts.map(hex).join(':');
  const rest = parts.slice(from);
  const firstOther = rest.findIndex((part) => part !== 0);
  const end = firstOther < 0 ? parts.length : from + firstOther;
  return `${parts.slice(0, from).map(hex).join(':')}::${parts.slice(end).map(hex).join(':')}`;
};

const isMapped = (parts: readonly number[]): boolean =>
  parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;

const ipv6: fc.Arbitrary<SpelledAddress> = fc
  .tuple(groups, fc.nat(3), fc.boolean(), fc.constantFrom('', '%eth0', '%25en0', '%1'))
  .filter(([parts]) => !isMapped(parts))
  .map(([parts, way, isUpper, zone]) => {
    const full = parts.map((part) => hex(part).padStart(4, '0')).join(':');
    const plain = way === 0 ? full : way === 1 ? parts.map(hex).join(':') : compressed(parts);
    const spelled = isUpper ? plain.toUpperCase() : plain;
    const text = way === 3 ? `[${spelled}]:8443` : spelled + zone;
    return { text, network: `6:${parts.slice(0, 4).map(hex).join(':')}` };
  });

/** Spellings that some parsers take for an address: octal, hexadecimal, short and long forms. */
const unreadable: fc.Arbitrary<SpelledAddress> = fc
  .oneof(
    octets.map(([a, b, c, d]) => `0${a.toString(8)}.${b}.${c}.${d}`),
    octets.map(([a, b, c, d]) => `0x${hex(a)}.${b}.${c}.${d}`),
    octets.map(([a, b, c]) => `${a}.${b}.${c}`),
    octets.map((bytes) => `${bytes.join('.')}.1`),
    octets.map((bytes) => `${bytes.join('.')}, 203.0.113.9`),
    fc.nat(2 ** 32 - 1).map(String),
    groups.map((parts) => parts.slice(0, 7).map(hex).join(':')),
    groups.map((parts) => `${parts.map(hex).join(':')}:1`),
    groups.map((parts) => `${hex(parts[0] ?? 0)}::1::2`),
    fc.constantFrom(
      '',
      ' ',
      'unknown',
      'localhost',
      '_hidden',
      '256.1.1.1',
      '1.1.1.1.',
      '::g',
      '[::1',
      '::1]',
      '1:2:3:4:5:6:7:8:9',
    ),
  )
  .map((text) => ({ text, network: 'unknown' }));

export const ipAddresses: fc.Arbitrary<SpelledAddress> = weighted([3, ipv4], [2, mapped], [4, ipv6], [2, unreadable]);

export interface SpelledPostUrl {
  readonly text: string;
  /** undefined: no spelling of a post on a known host. */
  readonly ref: { readonly id: string; readonly handle?: string } | undefined;
}

// biome-ignore format: side by side they fit on a screen
const HOSTS = [
  'x.com', 'twitter.com', 'www.x.com', 'mobile.x.com', 'm.twitter.com', 'mobile.twitter.com', 'X.COM', 'x.com.',
  'fxtwitter.com', 'www.vxtwitter.com', 'fixupx.com', 'fixvx.com', 'twittpr.com', 'nitter.net', 'xcancel.com', 'ｘ.com',
  'x。com',
] as const;

// biome-ignore format: side by side they fit on a screen
const FOREIGN_HOSTS = [
  'evil.example', 'x.com.evil.example', 'evilx.com', 'x.com@evil.example', 'x.comx', 'xn--x-9zb.com', 't.co',
  'localhost', '169.254.169.254', '[::1]', '2130706433', '0x7f.1', 'x.com:8443', 'x_.com', 'api.x.com', 'х.com',
] as const;

const postIds = fc.oneof(fc.constant('20'), fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String));
const handles = fc.stringMatching(/^[A-Za-z0-9_]{1,15}$/).filter((name) => !/^i$/i.test(name));

const endings = fc.constantFrom('', '/', '?s=20', '?s=20&t=a#m', '#m', '/photo/1', '/video/2', '/photo/4?s=1');

const spelledPost = (hosts: readonly string[]): fc.Arbitrary<SpelledPostUrl> =>
  fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', '//', '', ' https://'),
      fc.constantFrom(...hosts),
      fc.option(handles, { nil: undefined }),
      fc.constantFrom('status', 'statuses'),
      postIds,
      endings,
      fc.constantFrom('', '@', '%40'),
    )
    .map(([scheme, host, handle, word, id, ending, at]) => ({
      text: `${scheme}${host}/${handle === undefined ? 'i' : at + handle}/${word}/${id}${ending}`,
      ref: handle === undefined ? { id } : { id, handle },
    }));

const foreignPost = spelledPost(FOREIGN_HOSTS).map(({ text }): SpelledPostUrl => ({ text, ref: undefined }));

/** URLs that differ from the URL of a post in one part. */
const brokenPost: fc.Arbitrary<SpelledPostUrl> = fc
  .tuple(
    fc.constantFrom('x.com', 'twitter.com'),
    fc.constantFrom(
      'a/b/status/',
      'a-b/status/',
      '@@a/status/',
      '%2f/status/',
      'jack/Status/',
      'jack/likes/',
      'sixteen_letters_/status/',
      'i/article/',
      'i/lists/',
    ),
    postIds,
  )
  .map(([host, path, id]) => ({ text: `https://${host}/${path}${id}`, ref: undefined }));

const brokenId: fc.Arbitrary<SpelledPostUrl> = fc
  .constantFrom('0', '020', '-20', '1e3', '0x14', '9223372036854775808', '9'.repeat(40), '20a', '٢٠', '%32%30', '')
  .map((id) => ({ text: `https://x.com/jack/status/${id}`, ref: undefined }));

export const postUrls: fc.Arbitrary<SpelledPostUrl> = weighted(
  [5, spelledPost(HOSTS)],
  [3, foreignPost],
  [2, brokenPost],
  [1, brokenId],
  [
    1,
    fc
      .constantFrom('user@', 'user:secret@', ':secret@')
      .map((user) => ({ text: `https://${user}x.com/jack/status/20`, ref: undefined })),
  ],
  [
    1,
    fc
      .constantFrom('ftp:', 'javascript:', 'data:', 'file:', 'ws:', 'x:')
      .map((scheme) => ({ text: `${scheme}//x.com/jack/status/20`, ref: undefined })),
  ],
);

/** Texts for a box or a parameter that takes an address, with and without a meaning. */
export const addressTexts: fc.Arbitrary<string> = weighted([4, postUrls.map(({ text }) => text)], [1, nastyString]);
