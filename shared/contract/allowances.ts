// Defines the allowances (requirements: allowances). Requests for documents and posts charge no allowance.

export interface Limit {
  readonly count: number;
  readonly seconds: number;
}

export interface Allowance extends Limit {
  /** A second limit within the window. Its length divides the length of the window. */
  readonly burst?: Limit;
}

export type AllowanceName = 'search' | 'browse';

/**
 * The fair-use bound on post requests that call a provider, per client network and instance. It is not an allowance: an
 * API key does not raise it, no header reports it, and cached results are not counted.
 */
export const FAIR_USE: Limit = { count: 120, seconds: 60 };

/** A translation costs a provider more than a post. */
export const TRANSLATED_READS = 5;

/** One allowance for each kind of caller. */
export interface AllowanceTiers {
  readonly anonymous: Allowance;
  /** For callers with an API key that has no allowance of its own. */
  readonly keyed: Allowance;
  /** The allowance pool of all anonymous callers; undefined: the operator has not set one. */
  readonly pool?: Allowance | undefined;
}

export type Allowances = Readonly<Record<AllowanceName, AllowanceTiers>>;

export interface AllowanceSetting {
  readonly variable: string;
  readonly setting: string;
  /** The default; empty: no allowance. */
  readonly preset: string;
}

/** The settings: `COUNT/SECONDS`, or `COUNT/SECONDS,COUNT/SECONDS` with a burst limit. */
export const allowanceSettings = {
  searchAnonymous: { variable: 'ALLOWANCE_SEARCH_ANONYMOUS', setting: 'allowanceSearchAnonymous', preset: '10/60' },
  searchKeyed: { variable: 'ALLOWANCE_SEARCH_KEYED', setting: 'allowanceSearchKeyed', preset: '60/60' },
  browse: { variable: 'ALLOWANCE_BROWSE', setting: 'allowanceBrowse', preset: '60/60' },
  searchPool: { variable: 'ALLOWANCE_SEARCH_POOL', setting: 'allowanceSearchPool', preset: '' },
} as const satisfies Readonly<Record<string, AllowanceSetting>>;

export type AllowanceSettingName = keyof typeof allowanceSettings;

/** An API key raises only the search allowance (requirements: keys). Searches without an API key share the pool. */
export const buildAllowances = (
  values: Readonly<Record<Exclude<AllowanceSettingName, 'searchPool'>, Allowance>> & {
    readonly searchPool?: Allowance | undefined;
  },
): Allowances => ({
  search: { anonymous: values.searchAnonymous, keyed: values.searchKeyed, pool: values.searchPool },
  browse: { anonymous: values.browse, keyed: values.browse },
});

const LIMIT = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})$/;
const MAX_SECONDS = 86_400;

const parseLimit = (text: string): Limit | undefined => {
  const [, count, seconds] = LIMIT.exec(text) ?? [];
  const limit = { count: Number(count), seconds: Number(seconds) };
  return limit.seconds <= MAX_SECONDS ? limit : undefined;
};

export const ALLOWANCE_SYNTAX =
  'must be COUNT/SECONDS, of at most a day, or COUNT/SECONDS,COUNT/SECONDS with a smaller burst limit whose seconds divide the first';

/** @returns undefined if the text is not an allowance */
export const parseAllowance = (text: string): Allowance | undefined => {
  const [first = '', second, ...more] = text.split(',');
  const limit = parseLimit(first);
  if (limit === undefined || more.length > 0) return undefined;
  if (second === undefined) return limit;
  const burst = parseLimit(second);
  const fits =
    burst !== undefined &&
    burst.count < limit.count &&
    burst.seconds < limit.seconds &&
    limit.seconds % burst.seconds === 0;
  return fits ? { ...limit, burst } : undefined;
};

const limitText = ({ count, seconds }: Limit): string => `${count}/${seconds}`;

export const formatAllowance = ({ burst, ...limit }: Allowance): string =>
  burst === undefined ? limitText(limit) : `${limitText(limit)},${limitText(burst)}`;
