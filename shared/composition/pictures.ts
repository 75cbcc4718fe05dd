// Finds where pictures and videos of X are read.
import { type ProxiedHost, proxiedHosts } from '../model/picture-hosts.ts';
import { env } from '../settings/environment-variables.ts';
import { type Environment, readVariable } from './environment.ts';
import { readBaseUrls, readProviders } from './provider-settings.ts';

/** The sample has its pictures beside the answers of its providers. */
export const readPictureOrigins = (environment: Environment): Readonly<Record<ProxiedHost, string>> => {
  const [name] = readProviders(environment);
  const [provider] = name === undefined ? [] : readBaseUrls(environment, name);
  if (provider === undefined || readVariable(environment, env.upstream) !== 'sample')
    return { pbs: `https://${proxiedHosts.pbs}`, video: `https://${proxiedHosts.video}` };
  const { origin } = new URL(provider.baseUrl);
  return { pbs: `${origin}/pbs`, video: `${origin}/video` };
};
