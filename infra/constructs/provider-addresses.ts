// Lists the addresses of the providers, which are a dimension of metrics.
import { type ProviderName, providers } from '../../shared/contract/providers.ts';
import type { Config } from '../config.ts';

export interface ProviderAddress {
  readonly provider: ProviderName;
  /** The host name of a base URL. */
  readonly address: string;
}

/** The addresses of the configured providers, each once. */
export const providerAddresses = (config: Config): readonly ProviderAddress[] => {
  const all = config.providers.flatMap((provider) =>
    [config[providers[provider].setting]].flat().map((baseUrl) => ({ provider, address: new URL(baseUrl).hostname })),
  );
  return all.filter((row, index) => all.findIndex(({ address }) => address === row.address) === index);
};
