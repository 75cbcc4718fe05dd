// UPSTREAM: the providers themselves, or the bundled answers where they cannot be reached.

import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { providerBaseUrl, readCanaryPost, readProviders, userAgent } from '../../shared/composition/upstream.ts';
import { providerNames, providers } from '../../shared/contract/providers.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';
import { startSampleServer } from './sample-server.ts';

const PROBE_MILLISECONDS = 1500;

export interface ChosenUpstream {
  /** What functions must be told. */
  readonly environment: Readonly<Record<string, string>>;
  /** For people. */
  readonly line: string;
  /** Set when bundled answers stand in for a provider that was wanted: nobody should take them for live ones. */
  readonly notice?: string;
  close(): Promise<void>;
}

interface PreferredProvider {
  readonly address: string;
  /** A provider that answers this in one of these media types is there, whatever it says. */
  readonly question: string;
  readonly types: readonly string[];
}

/** The provider that is asked first. */
const primaryProvider = (from: Environment): PreferredProvider => {
  const [name] = readProviders(from);
  if (name === undefined) throw new Error(`${env.providers} names no provider`);
  const { path, types } = providers[name].probe;
  const address = providerBaseUrl(from, name);
  return { address, question: `${address}${path.replace('{id}', readCanaryPost(from))}`, types };
};

const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();

const isReachable = async ({ question: probeUrl, types }: PreferredProvider): Promise<boolean> => {
  try {
    const response = await fetch(probeUrl, {
      headers: { 'User-Agent': userAgent(undefined) },
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MILLISECONDS),
    });
    await response.body?.cancel();
    return types.includes(mediaType(response));
  } catch {
    return false; // no answer, or none in time
  }
};

const live = ({ address }: PreferredProvider): ChosenUpstream => ({
  environment: { [env.upstream]: 'live' },
  line: `upstream: live, ${address}`,
  close: async () => undefined,
});

const sample = async (reason: string): Promise<ChosenUpstream> => {
  const server = await startSampleServer();
  return {
    environment: {
      [env.upstream]: 'sample',
      ...Object.fromEntries(providerNames.map((name) => [providers[name].variable, `${server.origin}/${name}`])),
      [env.canaryPost]: environmentDefaults[env.canaryPost],
      [env.canaryProfile]: environmentDefaults[env.canaryProfile],
    },
    line: `upstream: sample, ${server.size} bundled answers (${reason}); other posts are 404`,
    close: server.close,
  };
};

const auto = async (primary: PreferredProvider): Promise<ChosenUpstream> => {
  if (await isReachable(primary)) return live(primary);
  const chosen = await sample(`${primary.address} does not answer`);
  return { ...chosen, notice: chosen.line };
};

/** @throws when UPSTREAM has another value than the three */
export const chooseUpstream = async (from: Environment): Promise<ChosenUpstream> => {
  const wanted = readVariable(from, env.upstream) ?? localDefaults.upstream;
  switch (wanted) {
    case 'live':
      return live(primaryProvider(from));
    case 'sample':
      return sample('as asked');
    case 'auto':
      return auto(primaryProvider(from));
    default:
      throw new Error(`${env.upstream} must be auto, live or sample`);
  }
};
