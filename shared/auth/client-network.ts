// Names the network of a client by its IP address: an IPv4 address whole, an IPv6 address by its /64, because a /64 is
// what one customer gets. The names are hashed into stored counters: a changed name is a new allowance.
import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All clients without a readable IP address share this network, so that no client escapes the limits. */
export const UNKNOWN_NETWORK = 'unknown';

/** Removes brackets, port and zone: `[2001:db8::1]:443`, `[2001:db8::1]`, `198.51.100.7:443`, `fe80::1%eth0`. */
export const withoutPort = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');

/** ipaddr.js reads `::192.0.2.1` as IPv4-mapped; RFC 4291 section 2.5.5.1 calls it IPv4-compatible. */
const parseIPv6 = (text: string): ipaddr.IPv6 => ipaddr.IPv6.parse(text.replace(/^::(?=\d+\.)/, '0::'));

/** @param ip from the edge function; never from a header that the client can set */
export const clientNetwork = (ip: string | undefined): string => {
  const text = withoutPort(ip ?? '');
  if (isIPv4(text)) return `4:${text}`;
  // isIPv6 is stricter than ipaddr.js, which also reads octal and hexadecimal octets.
  if (!isIPv6(text)) return UNKNOWN_NETWORK;
  const parsed = parseIPv6(text);
  if (parsed.isIPv4MappedAddress()) return `4:${parsed.toIPv4Address().toString()}`;
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `6:${prefix.join(':')}`;
};

const IDENTITY_CHARACTERS = 22; // 132 bits

/** Hashes the network of a client, so that stores and logs hold no IP address. Equal on every instance. */
export type HashNetwork = (ip: string | undefined) => string;

export const createNetworkHash =
  (secret: string): HashNetwork =>
  (ip) =>
    createHmac('sha256', secret).update(clientNetwork(ip)).digest('base64url').slice(0, IDENTITY_CHARACTERS);
