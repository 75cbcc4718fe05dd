// Parses the list of the posts and accounts that the operator withholds, and finds a post or an account in it.
import type { AccountNames } from './account-names.ts';
import { idOfName, nameOfId, PROVIDER_HANDLE, parseId, type UserName } from './handle.ts';
import { parseInstant } from './instant-text.ts';
import { asRecord } from './json.ts';
import { parseJsonSource } from './json-source.ts';
import { type PostRef, parsePostLink, parseWebUrl } from './x-urls.ts';

export const WITHHELD_REASONS = ['copyright', 'court', 'privacy', 'terms', 'other'] as const;
export type WithheldReason = (typeof WITHHELD_REASONS)[number];

/** A post or an account. The handle of a post is that of the link, so it can be wrong. */
export type WithheldSubject = PostRef | { readonly profile: UserName };

export type WithheldEntry = WithheldSubject & {
  readonly reason: WithheldReason;
  /** The instant at which the entry ends, in milliseconds since the epoch. @default never */
  readonly until?: number;
};

/** Follows the name of the list in a message. */
export interface WithheldError {
  readonly problem: string;
  /** The wrong entry, counted from 0. */
  readonly index?: number;
}

export const MAX_WITHHELD = 1000;

const MEMBERS: readonly string[] = ['post', 'profile', 'reason', 'until'];

/** A complaint names a post by the link at hand, also on a mirror or on this service, so every host is accepted. */
const postOf = (value: unknown): PostRef | undefined => {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const id = parseId(text);
  if (id !== undefined) return { id };
  const ref = parsePostLink(text, parseWebUrl(text)?.origin);
  return 'error' in ref ? undefined : ref;
};

/** In URLs of X, `i` is the handle of any author, so it would withhold every post. */
const profileOf = (value: unknown): UserName | undefined => {
  const name = typeof value === 'string' ? value.replace(/^@/, '') : '';
  const id = idOfName(name);
  if (id !== undefined) return parseId(id) && name;
  return PROVIDER_HANDLE.test(name) && name.toLowerCase() !== 'i' ? name : undefined;
};

const entryOf = (value: unknown): WithheldEntry | string => {
  const record = asRecord(value);
  if (record === undefined) return 'is not an object';
  const unknown = Object.keys(record).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `has the unknown member ${JSON.stringify(unknown.slice(0, 40))}`;
  const { post, profile, until: ends } = record;
  if ((post === undefined) === (profile === undefined)) return 'must have either post or profile';
  const ref = postOf(post);
  const name = profileOf(profile);
  const subject = ref ?? (name === undefined ? undefined : { profile: name });
  if (subject === undefined)
    return post === undefined
      ? 'has no handle as profile, nor an id such as id:12'
      : 'has neither the id nor the link of a post as post';
  const reason = WITHHELD_REASONS.find((known) => known === record['reason']);
  if (reason === undefined) return `must have one of ${WITHHELD_REASONS.join(', ')} as reason`;
  const until = typeof ends === 'string' ? parseInstant(ends) : undefined;
  if (ends !== undefined && until === undefined)
    return 'must have a day or an instant as until, such as 2027-01-31 or 2027-01-31T18:00:00Z';
  return { ...subject, reason, ...(until !== undefined && { until }) };
};

/** A line of the log has 200 characters for the whole sentence. */
const MAX_NAMED_CHARACTERS = 60;

const nameOf = (value: unknown, index: number): string =>
  `entry ${index + 1}, ${(JSON.stringify(value) ?? '').slice(0, MAX_NAMED_CHARACTERS)},`;

/** @param value the parsed JSON @returns the entries; the first wrong entry, named, if there is one */
export const parseWithheld = (value: unknown): readonly WithheldEntry[] | WithheldError => {
  if (!Array.isArray(value) || value.length > MAX_WITHHELD)
    return { problem: 'must be a JSON array of at most 1,000 objects' };
  const entries: WithheldEntry[] = [];
  for (const [index, item] of value.entries()) {
    const entry = entryOf(item);
    if (typeof entry === 'string') return { problem: `${nameOf(item, index)} ${entry}`, index };
    entries.push(entry);
  }
  return entries;
};

/**
 * As parseWithheld, of JSON text: the message begins with the place of what is wrong.
 *
 * @param member has the list if the text is an object @default an object is no list
 */
export const parseWithheldText = (text: string, member?: string): ReturnType<typeof parseWithheld> => {
  const source = parseJsonSource(text);
  if ('problem' in source) return source;
  const settings = member === undefined ? undefined : asRecord(source.value);
  const path = settings === undefined || member === undefined ? [] : [member];
  const list = parseWithheld(settings === undefined || member === undefined ? source.value : settings[member]);
  if (!('problem' in list)) return list;
  const { index, problem } = list;
  const place = source.place(index === undefined ? path : [...path, index]) ?? source.place([]);
  return { problem: `${place}: ${problem}` };
};

/** @returns JSON that parses to the same entries */
export const formatWithheld = (entries: readonly WithheldEntry[]): string =>
  JSON.stringify(
    entries.map(({ reason, until, ...subject }) => ({
      ...('profile' in subject
        ? { profile: subject.profile }
        : { post: subject.handle === undefined ? subject.id : `x.com/${subject.handle}/status/${subject.id}` }),
      reason,
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    })),
  );

/** The posts and accounts that are withheld at the present. */
export interface Withheld {
  /** @returns undefined: the post may be shown, as far as its id says */
  post(id: string | undefined): WithheldReason | undefined;
  /** An account that only its handle names is also found by the id with which it was seen. */
  account(names: AccountNames): WithheldReason | undefined;
  /** Remembers the handle of an account that is withheld by its id. */
  see(names: AccountNames): void;
  hasProfiles(): boolean;
  /** Accounts are withheld by their ids. */
  hasIds(): boolean;
  /** The list has no entries. */
  readonly isEmpty: boolean;
}

type Term = Pick<WithheldEntry, 'reason' | 'until'>;

/** If two entries are about the same post or account, the one that ends last counts. */
const add = (terms: Map<string, Term>, key: string, term: Term): void => {
  const other = terms.get(key);
  if (other === undefined || (term.until ?? Number.POSITIVE_INFINITY) > (other.until ?? Number.POSITIVE_INFINITY))
    terms.set(key, term);
};

/** Another account can get a handle that the account gave up. */
const SEEN_MILLISECONDS = 3_600_000;

/** @param now milliseconds since the epoch */
export const createWithheld = (entries: readonly WithheldEntry[], now: () => number): Withheld => {
  const posts = new Map<string, Term>();
  const profiles = new Map<UserName, Term>();
  const seen = new Map<string, { readonly name: UserName; readonly until: number }>();
  for (const entry of entries) {
    if ('profile' in entry) add(profiles, entry.profile.toLowerCase(), entry);
    else add(posts, entry.id, entry);
  }
  const isInForce = ({ until }: Term): boolean => until === undefined || now() < until;
  const find = (terms: ReadonlyMap<string, Term>, key: string | undefined): WithheldReason | undefined => {
    const term = key === undefined ? undefined : terms.get(key);
    return term !== undefined && isInForce(term) ? term.reason : undefined;
  };
  const seenName = (handle: string): UserName | undefined => {
    const { name, until = 0 } = seen.get(handle) ?? {};
    return now() < until ? name : undefined;
  };
  return {
    post: (id) => find(posts, id),
    account(names) {
      const handle = names.handle?.toLowerCase();
      const name = names.id === undefined ? handle && seenName(handle) : nameOfId(names.id);
      return find(profiles, handle) ?? find(profiles, name);
    },
    see({ handle, id }) {
      const key = handle?.toLowerCase();
      const name = id && nameOfId(id);
      if (!key || !name) return;
      if (profiles.has(name)) seen.set(key, { name, until: now() + SEEN_MILLISECONDS });
      else seen.delete(key);
    },
    hasProfiles: () => profiles.values().some(isInForce),
    hasIds: () => profiles.entries().some(([name, term]) => idOfName(name) !== undefined && isInForce(term)),
    isEmpty: entries.length === 0,
  };
};
