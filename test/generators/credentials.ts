// Generates API keys, changed API keys and Authorization fields, with what a reader must make of each field.
import fc from 'fast-check';
import { generateApiKey } from '../../shared/auth/api-key.ts';
import { nastyString } from './nasty-strings.ts';
import { weighted } from './seed.ts';

/** Keys of the right form with the right checksum. No store knows them. */
export const apiKeys: fc.Arbitrary<string> = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => generateApiKey(() => bytes));

const KEY_CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+/='];

/** Changes, removes, adds or exchanges characters. Never returns the text itself. */
export const changed = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(...KEY_CHARACTERS), fc.nat(4))
    .map(([at, character, way]) => {
      const before = text.slice(0, at);
      const after = text.slice(at + 1);
      switch (way) {
        case 0:
          return before + after;
        case 1:
          return before + character + text.slice(at);
        case 2:
          return text.slice(0, at);
        case 3:
          return before + text.charAt(at) + text;
        default:
          return before + character + after;
      }
    })
    .filter((result) => result !== text);

export interface AuthorizationField {
  readonly value: string;
  /** The token that RFC 6750 reads; `malformed` if the scheme is Bearer without exactly one token. */
  readonly bearer: { readonly token: string } | 'malformed' | 'none';
}

/** token68 of RFC 9110 section 11.2. */
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*$/;

const bearerSpelling = fc.constantFrom('Bearer', 'bearer', 'BEARER', 'bEaReR');

const single = (tokens: fc.Arbitrary<string>): fc.Arbitrary<AuthorizationField> =>
  fc.tuple(bearerSpelling, fc.constantFrom(' ', '  ', '     '), tokens, fc.constantFrom('', ' ', '   ')).map(
    ([scheme, gap, token, end]): AuthorizationField => ({
      value: scheme + gap + token + end,
      bearer: TOKEN68.test(token) ? { token } : 'malformed',
    }),
  );

const otherScheme = fc
  .tuple(
    fc.constantFrom('Basic', 'Digest', 'Token', 'ApiKey', 'Bearerr', 'Bear', 'AWS4-HMAC-SHA256', '', 'pstn_'),
    apiKeys,
  )
  .map(([scheme, key]): AuthorizationField => ({ value: `${scheme} ${key}`, bearer: 'none' }));

const joined = (tokens: fc.Arbitrary<string>): fc.Arbitrary<AuthorizationField> =>
  fc
    .tuple(bearerSpelling, tokens, tokens, fc.constantFrom(',', ', ', ',Bearer ', ', Basic '))
    .map(([scheme, one, two, between]) => ({ value: `${scheme} ${one}${between}${two}`, bearer: 'malformed' }));

const empty = fc
  .tuple(bearerSpelling, fc.constantFrom('', ' ', '    ', ',', ' ,'))
  .map(([scheme, rest]): AuthorizationField => ({ value: scheme + rest, bearer: 'malformed' }));

/** A token without spaces, so that its field has exactly one. */
const nastyToken = nastyString.map((text) => text.replaceAll(/[\s,]/g, '')).filter((text) => text !== '');

/** @param known keys that the service accepts, if there are any */
export const authorizationFields = (known: readonly string[] = []): fc.Arbitrary<AuthorizationField> => {
  const keys = known.length === 0 ? apiKeys : fc.oneof(apiKeys, fc.constantFrom(...known));
  const tokens = weighted([4, keys], [3, keys.chain(changed)], [2, nastyToken]);
  return weighted([6, single(tokens)], [1, otherScheme], [1, joined(keys)], [1, empty]);
};
