// Lists the hosts of the providers, which are a dimension of metrics.
import { type ProviderName, providers } from '../../shared/contract/providers.ts';
import { baseUrlsOf } from '../../shared/settings/feature-parsers.ts';
import type { Config } from '../config.ts';

export interface ProviderHost {
  readonly provider: ProviderName;
  /** The host of a base URL, as in the log lines of its calls. */
  readonly host: string;
}

/** The hosts of the configured providers, each once. */
export const providerHosts = (config: Config): readonly ProviderHost[] => {
  const all = config.providers.flatMap((provider) =>
    (baseUrlsOf(provider).parse(config[providers[provider].setting]) ?? []).map(({ baseUrl }) => ({
      provider,
      host: new URL(baseUrl).host,
    })),
  );
  return all.filter((row, index) => all.findIndex(({ host }) => host === row.host) === index);
};
