// Who calls, as far as an address tells: an IPv4 address, or the /64 of an IPv6 one, which is what one customer gets.
import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/** All addresses that cannot be read share one allowance: there is no way around it. */
export const UNKNOWN_NETWORK = 'unknown';

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** `[2001:db8::1]:443`, `[2001:db8::1]`, `198.51.100.7:443` without brackets, port and zone. */
const withoutPort = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');

/** RFC 5952, as the URL parser writes it. */
const canonical = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1);

const hextets = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
};

const mappedIPv4 = (address: string): string | undefined => {
  const [match, high = '', low = ''] = MAPPED.exec(address) ?? [];
  if (match === undefined) return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};

/** @param address as the edge saw it; never what a caller says of itself */
export const clientNetwork = (address: string | undefined): string => {
  const text = withoutPort(address ?? '');
  if (isIPv4(text)) return `4:${text}`;
  if (!isIPv6(text)) return UNKNOWN_NETWORK;
  const spelled = canonical(text);
  const mapped = mappedIPv4(spelled);
  return mapped === undefined ? `6:${hextets(spelled).slice(0, 4).join(':')}` : `4:${mapped}`;
};

const IDENTITY_CHARACTERS = 22; // 132 bits

/** A caller's address made unreadable, the same on every instance: what counters and logs know of him. */
export type HashClientAddress = (address: string | undefined) => string;

export const createClientAddressHash =
  (secret: string): HashClientAddress =>
  (address) =>
    createHmac('sha256', secret).update(clientNetwork(address)).digest('base64url').slice(0, IDENTITY_CHARACTERS);
