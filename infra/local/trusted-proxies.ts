// Reads who sent a request, and by which scheme, from the fields of proxies that the operator trusts. Fields of others are
// text of the caller.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { withoutPort } from '../../shared/auth/client-network.ts';
import { httpUrl, type SettingParser } from '../../shared/settings/base-parsers.ts';
import { headerPairs } from './edge-sandbox.ts';

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** @returns undefined if the text is no IP address; an IPv4-mapped address is the IPv4 address */
const parseIp = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  // isIP is stricter than ipaddr.js, which also reads octal and hexadecimal octets.
  isIP(text) === 0 ? undefined : ipaddr.process(text);

/** @param text a CIDR, or an IP address for itself alone */
const parseNetwork = (text: string): Network | undefined => {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const ip = parseIp(address);
  if (ip === undefined) return undefined;
  const bits = ip.toByteArray().length * 8;
  // `::ffff:10.0.0.0/104` is `10.0.0.0/8`.
  const mapped = isIP(address) === 6 && bits === 32 ? 96 : 0;
  const size = length === undefined ? bits : Number(length) - mapped;
  return size >= 0 && size <= bits ? [ip, size] : undefined;
};

/** Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
export type TrustedProxies = readonly Network[];

export const trustedProxies: SettingParser<TrustedProxies> = {
  rule: 'must be IP addresses or networks such as 10.0.0.0/8,fd00::/8, separated by commas',
  parse: (text) => {
    const entries = text.split(',');
    const networks = entries.flatMap((entry) => {
      const network = parseNetwork(entry);
      return network === undefined ? [] : [network];
    });
    return networks.length === entries.length ? networks : undefined;
  },
};

const unquoted = (hop: string): string => hop.trim().replace(/^"(.*)"$/, '$1');

const includes = (proxies: TrustedProxies, ip: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  proxies.some(([network, size]) => network.kind() === ip.kind() && ip.match([network, size]));

/** @param peer the IP address of a connection */
export const isTrustedProxy = (peer: string, proxies: TrustedProxies): boolean => {
  const ip = parseIp(withoutPort(peer));
  return ip !== undefined && includes(proxies, ip);
};

export interface Viewer {
  /** Empty if the connection is closed. */
  readonly ip: string;
  /** By the word of a trusted proxy. */
  readonly isHttps: boolean;
  /** The origin that the viewer requested by a trusted proxy; undefined without such a proxy or with an unusable Host. */
  readonly origin: string | undefined;
}

/**
 * Reads `X-Forwarded-For` from the right, past trusted proxies. The first other address is the viewer. An entry that is no
 * address ends the search at the proxy that wrote it. `X-Forwarded-Proto` is read at the same distance.
 *
 * @param peer the IP address of the connection
 * @param rawHeaders alternating names and values
 */
export const viewerOf = (peer: string, rawHeaders: readonly string[], proxies: TrustedProxies = []): Viewer => {
  let ip = parseIp(withoutPort(peer));
  const direct = { ip: ip?.toString() ?? peer, isHttps: false, origin: undefined };
  if (proxies.length === 0 || ip === undefined || !includes(proxies, ip)) return direct;

  const pairs = headerPairs(rawHeaders);
  const valuesOf = (name: string): readonly string[] =>
    pairs.flatMap(([field, value]) => (field === name ? value.split(',') : [])).map((value) => value.trim());
  const hops = valuesOf('x-forwarded-for');
  let passed = 0;
  while (includes(proxies, ip) && passed < hops.length) {
    const next = parseIp(withoutPort(unquoted(hops.at(-1 - passed) ?? '')));
    if (next === undefined) break;
    ip = next;
    passed += 1;
  }
  const schemes = valuesOf('x-forwarded-proto');
  const scheme = (schemes.at(-Math.max(passed, 1)) ?? schemes[0])?.toLowerCase();
  if (scheme !== 'https' && scheme !== 'http') return { ...direct, ip: ip.toString() };
  const [host = ''] = valuesOf('host');
  const origin = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)
    ? httpUrl.parse(`${scheme}://${host}`)
    : undefined;
  return { ip: ip.toString(), isHttps: scheme === 'https', origin };
};
