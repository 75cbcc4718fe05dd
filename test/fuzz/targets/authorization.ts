// Fuzzes the reader of Authorization fields and the check of the form of API keys.
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { isWellFormedApiKey } from '../../../shared/auth/api-key.ts';
import { parseBearer } from '../../../shared/auth/bearer.ts';
import { clientNetwork } from '../../../shared/auth/client-address.ts';
import { ipAddresses } from '../../generators/addresses.ts';
import { authorizationFields } from '../../generators/credentials.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const NETWORK = /^(?:4:\d{1,3}(?:\.\d{1,3}){3}|6(?::[0-9a-f]{1,4}){4}|unknown)$/;

/** The checksum of a key, computed digit by digit. */
const hasChecksum = (key: string): boolean => {
  const digits = [...key.slice(-6)].map((digit) => DIGITS.indexOf(digit));
  return digits.reduce((value, digit) => value * 62 + digit, 0) === crc32(key.slice(0, -6));
};

export const target: FuzzTarget = {
  judge(input) {
    const bearer = parseBearer(input);
    const [scheme = '', ...rest] = input.split(' ');
    const tokens = rest.filter((part) => part !== '');
    if (bearer.kind === 'token') {
      ensure(
        scheme.toLowerCase() === 'bearer' && tokens.length === 1 && tokens[0] === bearer.token,
        'a token that the field does not have',
      );
      ensure(/^[!-~]+$/.test(bearer.token) && !/[,;"\\]/.test(bearer.token), 'not a token of RFC 9110');
    } else if (scheme.toLowerCase() === 'bearer') {
      ensure(bearer.kind === 'malformed', 'a field of the scheme Bearer that is ignored');
      ensure(tokens.length !== 1 || !/^[A-Za-z0-9\-._~+/]+=*$/.test(tokens[0] ?? ''), 'a token that is rejected');
    }
    const key = tokens[0] ?? input;
    const isKey = /^pstn_[0-9A-Za-z]{49}$/.test(key) && hasChecksum(key);
    ensure(isWellFormedApiKey(key) === isKey, 'a key with another checksum');
    ensure(NETWORK.test(clientNetwork(input)), 'not a network');
  },
  seeds: fc.oneof(
    authorizationFields().map(({ value }) => value),
    ipAddresses.map(({ text }) => text),
  ),
};
