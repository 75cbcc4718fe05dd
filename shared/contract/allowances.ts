// THE allowances (spec 8): how many reads a caller has per window. Documents spend nothing, post reads none of these.

export interface Limit {
  readonly count: number;
  readonly seconds: number;
}

export interface Allowance extends Limit {
  /** A second limit within the window, whose length divides the window's. */
  readonly burst?: Limit;
}

export type AllowanceName = 'search' | 'browse';

/**
 * The fair-use bound: reads of posts that ask a provider, per client network and instance. Not an allowance: no key raises
 * it, no header tells of it, and what is remembered is free.
 */
export const FAIR_USE: Limit = { count: 120, seconds: 60 };

/** What one allowance is worth to whom. */
export interface AllowanceTiers {
  readonly anonymous: Allowance;
  /** With a key that says nothing else. */
  readonly keyed: Allowance;
  /** Of all anonymous callers together, where the operator wants that. */
  readonly pool?: Allowance | undefined;
}

export type Allowances = Readonly<Record<AllowanceName, AllowanceTiers>>;

export interface AllowanceSetting {
  /** Name of the environment variable, and of the operator's setting. */
  readonly variable: string;
  readonly setting: string;
  /** Empty: none. */
  readonly preset: string;
}

/** What an operator may change, as `COUNT/SECONDS` or `COUNT/SECONDS,COUNT/SECONDS` with a burst limit. */
export const allowanceSettings = {
  searchAnonymous: {
    variable: 'ALLOWANCE_SEARCH_ANONYMOUS',
    setting: 'allowanceSearchAnonymous',
    preset: '10/60',
  },
  searchKeyed: { variable: 'ALLOWANCE_SEARCH_KEYED', setting: 'allowanceSearchKeyed', preset: '60/60' },
  browse: { variable: 'ALLOWANCE_BROWSE', setting: 'allowanceBrowse', preset: '60/60' },
  searchPool: { variable: 'ALLOWANCE_SEARCH_POOL', setting: 'allowanceSearchPool', preset: '' },
} as const satisfies Readonly<Record<string, AllowanceSetting>>;

export type AllowanceSettingName = keyof typeof allowanceSettings;

/** A key raises the search allowance only (spec 5.4); the pool is what searches without a key share. */
export const buildAllowances = (
  of: Readonly<Record<Exclude<AllowanceSettingName, 'searchPool'>, Allowance>> & {
    readonly searchPool?: Allowance | undefined;
  },
): Allowances => ({
  search: { anonymous: of.searchAnonymous, keyed: of.searchKeyed, pool: of.searchPool },
  browse: { anonymous: of.browse, keyed: of.browse },
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

/** undefined: not an allowance. */
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
