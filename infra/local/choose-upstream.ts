// Chooses by UPSTREAM between the providers and the bundled sample answers, which also apply if the provider does not
// answer.

import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { readBaseUrls, readCanaryPost, readProviders, userAgent } from '../../shared/composition/provider-settings.ts';
import { providerNames, providers } from '../../shared/contract/providers.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';
import { requireLoopback } from './require-loopback.ts';
import { startSampleServer } from './sample-server.ts';

const PROBE_MILLISECONDS = 1500;

export interface ChosenUpstream {
  /** Variables for the functions. */
  readonly environment: Environment;
  /** The choice, for people. */
  readonly line: string;
  /** Set if sample answers replace a provider, so that people do not take them for live answers. */
  readonly notice?: string;
  close(): Promise<void>;
}

interface PreferredProvider {
  readonly baseUrls: readonly string[];
  /** The path below a base URL. The provider is reachable if it answers there with one of `types`, whatever the status. */
  readonly probePath: string;
  readonly types: readonly string[];
}

/** @returns the first provider of PROVIDERS */
const primaryProvider = (environment: Environment): PreferredProvider => {
  const [name] = readProviders(environment);
  if (name === undefined) throw new Error(`${env.providers} names no provider`);
  const { path, types } = providers[name].probe;
  const baseUrls = readBaseUrls(environment, name);
  return { baseUrls, probePath: path.replace('{id}', readCanaryPost(environment)), types };
};

const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();

const isReachable = async (probeUrl: string, types: readonly string[]): Promise<boolean> => {
  try {
    const response = await fetch(probeUrl, {
      headers: { 'User-Agent': userAgent(undefined) },
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MILLISECONDS),
    });
    await response.body?.cancel();
    return types.includes(mediaType(response));
  } catch {
    return false; // no answer within 1.5 s
  }
};

const live = ({ baseUrls }: PreferredProvider): ChosenUpstream => ({
  environment: { [env.upstream]: 'live' },
  line: `upstream: live, ${baseUrls.join(', ')}`,
  close: async () => undefined,
});

/** The base URLs of a sample server, in place of those of the providers. */
export const sampleBaseUrls = (origin: string): Environment => ({
  ...Object.fromEntries(providerNames.map((name) => [providers[name].variable, `${origin}/${name}`])),
  [env.canaryPost]: environmentDefaults[env.canaryPost],
  [env.canaryProfile]: environmentDefaults[env.canaryProfile],
});

const sample = async (reason: string): Promise<ChosenUpstream> => {
  await requireLoopback();
  const server = await startSampleServer();
  return {
    environment: { [env.upstream]: 'sample', ...sampleBaseUrls(server.origin) },
    line: `upstream: sample, ${server.size} bundled posts (${reason}); other posts are 404`,
    close: server.close,
  };
};

const auto = async (primary: PreferredProvider): Promise<ChosenUpstream> => {
  const { baseUrls, probePath, types } = primary;
  for (const baseUrl of baseUrls) if (await isReachable(`${baseUrl}${probePath}`, types)) return live(primary);
  const chosen = await sample(`${baseUrls.join(', ')} ${baseUrls.length > 1 ? 'do' : 'does'} not answer`);
  return { ...chosen, notice: chosen.line };
};

/** For a program that answers for long, or whose answer is about the providers: UPSTREAM=auto asks them, and never replays. */
export const withoutReplay = (environment: Environment): Environment =>
  (readVariable(environment, env.upstream) ?? localDefaults.upstream) === 'auto'
    ? { ...environment, [env.upstream]: 'live' }
    : environment;

/** @throws if UPSTREAM is not auto, live or sample, or if the loopback interface does not carry the sample */
export const chooseUpstream = async (environment: Environment): Promise<ChosenUpstream> => {
  switch (readVariable(environment, env.upstream) ?? localDefaults.upstream) {
    case 'live':
      return live(primaryProvider(environment));
    case 'sample':
      return sample('UPSTREAM=sample');
    case 'auto':
      return auto(primaryProvider(environment));
    default:
      throw new Error(`${env.upstream} must be auto, live or sample`);
  }
};
