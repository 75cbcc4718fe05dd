// UPSTREAM: the providers themselves, or the bundled answers where they cannot be reached.
import { providerNames, providers } from '../../shared/contract/providers.ts';
import { defaults, env } from '../../shared/env.ts';
import { type Environment, setting } from '../../shared/live/settings.ts';
import { canaryPostIn, providerAddress, providersIn, userAgentOf } from '../../shared/live/upstream.ts';
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

interface Primary {
  readonly address: string;
  /** A provider that answers this in one of these media types is there, whatever it says. */
  readonly question: string;
  readonly types: readonly string[];
}

/** The provider that is asked first. */
const primaryProvider = (from: Environment): Primary => {
  const [name] = providersIn(from);
  if (name === undefined) throw new Error(`${env.providers} names no provider`);
  const { path, types } = providers[name].probe;
  const address = providerAddress(from, name);
  return { address, question: `${address}${path.replace('{id}', canaryPostIn(from))}`, types };
};

const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();

const answers = async ({ question, types }: Primary): Promise<boolean> => {
  try {
    const response = await fetch(question, {
      headers: { 'User-Agent': userAgentOf(undefined) },
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MILLISECONDS),
    });
    await response.body?.cancel();
    return types.includes(mediaType(response));
  } catch {
    return false; // no answer, or none in time
  }
};

const live = ({ address }: Primary): ChosenUpstream => ({
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
      [env.canaryPost]: defaults[env.canaryPost],
      [env.canaryProfile]: defaults[env.canaryProfile],
    },
    line: `upstream: sample, ${server.size} bundled answers (${reason}); other posts are 404`,
    close: server.close,
  };
};

const auto = async (primary: Primary): Promise<ChosenUpstream> => {
  if (await answers(primary)) return live(primary);
  const chosen = await sample(`${primary.address} does not answer`);
  return { ...chosen, notice: chosen.line };
};

/** @throws when UPSTREAM has another value than the three */
export const chooseUpstream = async (from: Environment): Promise<ChosenUpstream> => {
  const wanted = setting(from, env.upstream) ?? 'auto';
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
