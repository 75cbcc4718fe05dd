// Chooses callers for a load: many who each stay within their limits, or one who has a whole window before them.
import { clientNetwork, createNetworkHash } from '../../shared/auth/client-network.ts';
import { type Allowance, allowanceSettings, FAIR_USE, parseAllowance } from '../../shared/contract/allowances.ts';
import { keyPartition } from '../../shared/rate-limit/allowance-limiter.ts';
import { windowAt } from '../../shared/rate-limit/window.ts';
import type { IssuedKey } from './backends-process.ts';
import type { LoadRoute } from './load-routes.ts';

/** Known, so that the windows of callers can be computed. The variable lists secrets, separated by commas. */
export const CURSOR_SECRET = 'cursor-secret-of-the-load-0123456789';

/** @throws if the text is no allowance */
export const requireAllowance = (text: string): Allowance => {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw new Error(`${text} is no allowance`);
  return allowance;
};

/** The default of a deployment. @returns undefined: the route has no limit */
export const allowanceOf = ({ limit }: LoadRoute, isKeyed: boolean): Allowance | undefined => {
  const { searchAnonymous, searchKeyed, browse } = allowanceSettings;
  switch (limit) {
    case 'none':
      return undefined;
    case 'fairUse':
      return FAIR_USE;
    case 'browse':
      return requireAllowance(browse.preset);
    case 'search':
      return requireAllowance((isKeyed ? searchKeyed : searchAnonymous).preset);
  }
};

/** @throws if the route has no limit */
export const limitOf = (route: LoadRoute, isKeyed: boolean): Allowance => {
  const allowance = allowanceOf(route, isKeyed);
  if (allowance === undefined) throw new Error(`${route.name} has no limit`);
  return allowance;
};

let addresses = 0;

/** @returns an address of 127.0.0.0/8 that no earlier caller had */
export const newAddress = (): string => {
  addresses += 1;
  return `127.${1 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

export interface LoadCaller {
  readonly address: string;
  readonly secret?: string;
}

/** Callers use at most this share of their allowance. */
const SHARE_OF_ALLOWANCE = 0.5;

/** @returns the caller of the request with this number; each makes as many requests as half of the allowance has */
export const callersWithin = (route: LoadRoute, keys?: readonly IssuedKey[]): ((index: number) => LoadCaller) => {
  const allowance = allowanceOf(route, keys !== undefined)?.count ?? 1000;
  const requestsPerCaller = Math.max(1, Math.floor(allowance * SHARE_OF_ALLOWANCE));
  const callers: LoadCaller[] = [];
  return (index) => {
    const position = Math.floor(index / requestsPerCaller);
    const caller = callers[position] ?? { address: newAddress(), ...keyAt(keys, position) };
    callers[position] = caller;
    return caller;
  };
};

/** The keys in turn; the first ones are reused only after all others. */
const keyAt = (keys: readonly IssuedKey[] | undefined, position: number): { readonly secret?: string } => {
  const key = keys?.[position % keys.length];
  return key === undefined ? {} : { secret: key.secret };
};

const hashNetwork = createNetworkHash(CURSOR_SECRET);

/** The window must outlast the load on a busy machine: its start, and the answers that are still due. */
const WINDOW_MARGIN_SECONDS = 30;
/** Shorter than the window of each limit. */
const LONGEST_SECONDS = 50;

/**
 * @returns a caller who has spent nothing, and whose window lasts for a load of so many seconds
 * @throws if the route has no limit, or no API key has such a window
 */
export const callerWithWindow = (route: LoadRoute, seconds: number, keys?: readonly IssuedKey[]): LoadCaller => {
  const allowance = limitOf(route, keys !== undefined);
  const now = Date.now();
  const milliseconds = Math.min(LONGEST_SECONDS, seconds + WINDOW_MARGIN_SECONDS) * 1000;
  const lasts = (partition: string): boolean => windowAt(now, allowance, partition).endsAt - now >= milliseconds;
  if (keys !== undefined) {
    const name = route.limit === 'search' ? 'search' : 'browse';
    const key = keys.find(({ id }) => lasts(keyPartition(name, id)));
    if (key === undefined) throw new Error('no key has a window that lasts');
    return { address: newAddress(), secret: key.secret };
  }
  for (;;) {
    const address = newAddress();
    const isFairUse = route.limit === 'fairUse';
    if (lasts(isFairUse ? clientNetwork(address) : `${route.limit}#a:${hashNetwork(address)}`)) return { address };
  }
};
