// Lists the addresses of the providers, which are a dimension of metrics.
import { type ProviderName, providers } from '../../shared/contract/providers.ts';
import { providerAddresses } from '../../shared/settings/provider-addresses.ts';
import type { Config } from '../config.ts';

export interface MeteredAddress {
  readonly provider: ProviderName;
  /** The host of a base URL, as in the log lines of its calls. */
  readonly address: string;
}

/** The hosts of the configured providers, each once. */
export const meteredAddresses = (config: Config): readonly MeteredAddress[] => {
  const all = config.providers.flatMap((provider) =>
    (providerAddresses(provider).parse(config[providers[provider].setting]) ?? []).map(({ baseUrl }) => ({
      provider,
      address: new URL(baseUrl).host,
    })),
  );
  return all.filter((row, index) => all.findIndex(({ address }) => address === row.address) === index);
};
