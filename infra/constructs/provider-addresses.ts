// Lists the addresses of the providers, which are a dimension of metrics.
import { type ProviderName, providers } from '../../shared/contract/providers.ts';
import type { Config } from '../config.ts';

export interface ProviderAddress {
  readonly provider: ProviderName;
  /** The host of a base URL, as in the log lines of its calls. */
  readonly address: string;
}

/** The setting of base URLs: one, or several separated by commas, each with parameters behind a semicolon. */
const hostsOf = (baseUrls: string): readonly string[] =>
  baseUrls.split(',').map((entry) => new URL(entry.trim().replace(/;.*/, '')).host);

/** The addresses of the configured providers, each once. */
export const providerAddresses = (config: Config): readonly ProviderAddress[] => {
  const all = config.providers.flatMap((provider) =>
    hostsOf(config[providers[provider].setting]).map((address) => ({ provider, address })),
  );
  return all.filter((row, index) => all.findIndex(({ address }) => address === row.address) === index);
};
