// Encodes list positions as signed cursors. A cursor that was changed, or that belongs to another list, is not decoded.
//
// A model types a cursor again, character by character, so cursors are short (MAX_CHARACTERS). The fingerprints of the latest
// items take what the rest leaves.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { definedMembers } from '../../model/json.ts';
import type { AccountPosition, HeldPosts, ListKey, ListPosition } from '../../model/lists.ts';
import type { TombstoneReason } from '../../model/post.ts';
import type { CursorCodec } from '../../ports/cursors.ts';
import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from './byte-fields.ts';
import { decodeOldBody } from './old-cursors.ts';
import { MIN_REMEMBERED } from './recent-items.ts';

// Byte layout, encoded as base64url (RFC 4648 section 5, no padding):
//   0      version
//   1..16  HMAC-SHA-256 over version, list and body, its first 128 bits (RFC 2104 section 5)
//   17     body, whose fields are written below
const VERSION = 2;
const OLD_VERSION = 1;
const SIGNATURE_BYTES = 16;
const BODY_OFFSET = 1 + SIGNATURE_BYTES;
const FINGERPRINT_BYTES = 3;
const ID_BYTES = 8;

/** The characters of a cursor, unless the cursor of the provider is so long that fewer than MIN_REMEMBERED items would be left. */
const MAX_CHARACTERS = 240;
/** The characters beside the cursors of the providers and the posts that are held back, in a timeline of several accounts. */
const MAX_CHARACTERS_BESIDE = 300;

/** The share of the early ids in the space for memory, at most. */
const MAX_EARLY_SHARE = 2 / 3;

const bytesIn = (characters: number): number => Math.floor((characters * 3) / 4);

const IS_PARTIAL = 1;
const HAS_CURSOR = 2;
const HAS_FIRST_PAGE = 4;
const IS_MERGED = 8;
const HAS_LAST_PAGE = 16;
const HAS_SEARCH_PAGES = 32;

/** The order is part of the layout: new states go to the end. */
const STATES: readonly (TombstoneReason | 'ended' | 'cut')[] = [
  'ended',
  'cut',
  'deleted',
  'protected',
  'suspended',
  'withheld',
  'unknown',
];
/** Larger numbers are the flags of an account whose list goes on. */
const GOES_ON = 128;
const IS_RESTART = 1;
const HAS_BEFORE = 2;
const HAS_AFTER = 4;
const HAS_ACCOUNT_CURSOR = 8;
/** It is not that of the account before. */
const HAS_PROVIDER = 16;
const IS_IDLE = 32;
const HAS_HELD = 64;

const flag = (condition: boolean, value: number): number => (condition ? value : 0);

const has = (flags: number, value: number): boolean => (flags & value) !== 0;

/** Absent: 0, else 1 with a cursor added by 2, and a provider by 4. */
const writeHeld = (writer: ByteWriter, held: readonly HeldPosts[]): void => {
  writer.number(held.length);
  for (const { ids, page } of held) {
    const flags =
      page === undefined ? 0 : 1 + flag(page.cursor !== undefined, 2) + flag(page.provider !== undefined, 4);
    writer.number(flags);
    if (page?.cursor !== undefined) writer.text(page.cursor);
    if (page?.provider !== undefined) writer.name(page.provider);
    writer.number(ids.length);
    for (const id of ids) writer.id(id);
  }
};

const readIds = (reader: ByteReader): readonly string[] => Array.from({ length: reader.number() }, () => reader.id());

const readHeld = (reader: ByteReader): readonly HeldPosts[] =>
  Array.from({ length: reader.number() }, () => {
    const flags = reader.number();
    const cursor = has(flags, 2) ? reader.text() : undefined;
    const provider = has(flags, 4) ? reader.name() : undefined;
    return { ids: readIds(reader), ...(flags !== 0 && { page: definedMembers({ cursor, provider }) }) };
  });

const writeAccount = (writer: ByteWriter, position: AccountPosition, lastProvider: string): void => {
  if (typeof position === 'string' || 'missing' in position) {
    writer.byte(STATES.indexOf(typeof position === 'string' ? position : position.missing));
    return;
  }
  const { before, after, idle, isRestart = false, cursor, provider = '', held } = position;
  const hasProvider = provider !== lastProvider;
  writer.byte(
    GOES_ON +
      flag(isRestart, IS_RESTART) +
      flag(before !== undefined, HAS_BEFORE) +
      flag(after !== undefined, HAS_AFTER) +
      flag(cursor !== undefined, HAS_ACCOUNT_CURSOR) +
      flag(hasProvider, HAS_PROVIDER) +
      flag(idle > 0, IS_IDLE) +
      flag(held !== undefined, HAS_HELD),
  );
  if (before !== undefined) writer.id(before);
  if (after !== undefined) writer.id(after);
  if (cursor !== undefined) writer.text(cursor);
  if (hasProvider) writer.name(provider);
  if (idle > 0) writer.number(idle);
  if (held !== undefined) writeHeld(writer, held);
};

/** @param lastProvider that of the account before */
const readAccount = (reader: ByteReader, lastProvider: string): AccountPosition => {
  const flags = reader.byte();
  if (flags < GOES_ON) {
    const state = STATES[flags] ?? 'unknown';
    return state === 'ended' || state === 'cut' ? state : { missing: state };
  }
  const before = has(flags, HAS_BEFORE) ? reader.id() : undefined;
  const after = has(flags, HAS_AFTER) ? reader.id() : undefined;
  const cursor = has(flags, HAS_ACCOUNT_CURSOR) ? reader.text() : undefined;
  const provider = has(flags, HAS_PROVIDER) ? reader.name() : lastProvider;
  const idle = has(flags, IS_IDLE) ? reader.number() : 0;
  const held = has(flags, HAS_HELD) ? readHeld(reader) : undefined;
  return {
    ...definedMembers({ before, after, cursor, provider: provider === '' ? undefined : provider, held }),
    ...(has(flags, IS_RESTART) && { isRestart: true }),
    idle,
  };
};

const providerOf = (position: AccountPosition | undefined): string =>
  typeof position === 'object' && 'provider' in position ? (position.provider ?? '') : '';

const writeAccounts = (writer: ByteWriter, accounts: readonly AccountPosition[]): void => {
  writer.number(accounts.length);
  for (const [index, account] of accounts.entries()) writeAccount(writer, account, providerOf(accounts[index - 1]));
};

const readAccounts = (reader: ByteReader): readonly AccountPosition[] => {
  const accounts: AccountPosition[] = [];
  for (let left = reader.number(); left > 0; left -= 1) accounts.push(readAccount(reader, providerOf(accounts.at(-1))));
  return accounts;
};

/** The bytes of what a timeline of several accounts has beside its characters. */
const exemptBytes = (accounts: readonly AccountPosition[]): number => {
  const writer = createByteWriter();
  for (const account of accounts)
    if (typeof account === 'object' && 'idle' in account) {
      if (account.cursor !== undefined) writer.text(account.cursor);
      if (account.held !== undefined) writeHeld(writer, account.held);
    }
  return writer.bytes().length;
};

const fieldsOf = (position: ListPosition): Buffer => {
  const { provider, size, cursor, isPartial, emptyPages, searchPages, accounts } = position;
  const { firstPageFingerprint, lastPageFingerprint } = position;
  const writer = createByteWriter();
  writer.byte(
    flag(isPartial, IS_PARTIAL) +
      flag(cursor !== undefined, HAS_CURSOR) +
      flag(firstPageFingerprint !== undefined, HAS_FIRST_PAGE) +
      flag(accounts !== undefined, IS_MERGED) +
      flag(lastPageFingerprint !== undefined, HAS_LAST_PAGE) +
      flag(searchPages !== undefined, HAS_SEARCH_PAGES),
  );
  writer.number(size);
  writer.number(emptyPages);
  writer.name(provider);
  if (cursor !== undefined) writer.text(cursor);
  if (firstPageFingerprint !== undefined) writer.fingerprint(firstPageFingerprint);
  if (lastPageFingerprint !== undefined) writer.fingerprint(lastPageFingerprint);
  if (searchPages !== undefined) writer.number(searchPages);
  if (accounts !== undefined) writeAccounts(writer, accounts);
  return writer.bytes();
};

/** The newest fingerprints, and the early ids that come back first, as many as fit. */
const memoryOf = ({ recentFingerprints, earlyIds = [] }: ListPosition, space: number): Buffer => {
  const writer = createByteWriter();
  const early = earlyIds.slice(-Math.floor((space * MAX_EARLY_SHARE) / ID_BYTES));
  const count = Math.floor((space - early.length * ID_BYTES) / FINGERPRINT_BYTES);
  writer.number(early.length);
  for (const id of early) writer.id(id);
  for (const fingerprint of recentFingerprints.slice(-count)) writer.fingerprint(fingerprint);
  return writer.bytes();
};

const encodeBody = (position: ListPosition): Buffer => {
  const { accounts } = position;
  const fields = fieldsOf(position);
  const bound =
    accounts === undefined ? bytesIn(MAX_CHARACTERS) : bytesIn(MAX_CHARACTERS_BESIDE) + exemptBytes(accounts);
  const space = bound - BODY_OFFSET - fields.length - 1; // the number of early ids
  return Buffer.concat([fields, memoryOf(position, Math.max(space, MIN_REMEMBERED * FINGERPRINT_BYTES))]);
};

/** @param body with a valid signature, so encodeBody wrote it */
const decodeBody = (body: Buffer): ListPosition => {
  const reader = createByteReader(body);
  const flags = reader.byte();
  const [size, emptyPages, provider] = [reader.number(), reader.number(), reader.name()];
  const cursor = has(flags, HAS_CURSOR) ? reader.text() : undefined;
  const firstPageFingerprint = has(flags, HAS_FIRST_PAGE) ? reader.fingerprint() : undefined;
  const lastPageFingerprint = has(flags, HAS_LAST_PAGE) ? reader.fingerprint() : undefined;
  const searchPages = has(flags, HAS_SEARCH_PAGES) ? reader.number() : undefined;
  const accounts = has(flags, IS_MERGED) ? readAccounts(reader) : undefined;
  const earlyIds = readIds(reader);
  const recentFingerprints: number[] = [];
  while (reader.left() > 0) recentFingerprints.push(reader.fingerprint());
  return {
    provider,
    size,
    isPartial: has(flags, IS_PARTIAL),
    emptyPages,
    recentFingerprints,
    ...definedMembers({ cursor, searchPages, firstPageFingerprint, lastPageFingerprint, accounts }),
    ...(earlyIds.length > 0 && { earlyIds }),
  };
};

const decoders: Readonly<Record<number, (body: Buffer) => ListPosition>> = {
  [OLD_VERSION]: decodeOldBody,
  [VERSION]: decodeBody,
};

const signatureOf = (secret: string, list: ListKey, version: number, body: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(Buffer.of(version))
    .update(JSON.stringify(list)) // JSON text ends unambiguously, so two lists never have the same bytes
    .update(body)
    .digest()
    .subarray(0, SIGNATURE_BYTES);

/** Rejects texts with unused bits that are not zero, so that each value has one spelling (RFC 4648 section 3.5). */
const decodeCanonical = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** @param secrets the first secret signs; cursors of all secrets are accepted, which allows rotation */
export const createCursorCodec = (secrets: readonly [string, ...string[]]): CursorCodec => ({
  encode(list, position) {
    const body = encodeBody(position);
    const signature = signatureOf(secrets[0], list, VERSION, body);
    return Buffer.concat([Buffer.of(VERSION), signature, body]).toString('base64url');
  },
  decode(list, text) {
    const bytes = decodeCanonical(text);
    if (bytes === undefined || bytes.length <= BODY_OFFSET) return undefined;
    const version = bytes.readUInt8(0);
    const signature = bytes.subarray(1, BODY_OFFSET);
    const body = bytes.subarray(BODY_OFFSET);
    return secrets.some((secret) => timingSafeEqual(signatureOf(secret, list, version, body), signature))
      ? decoders[version]?.(body)
      : undefined;
  },
});
