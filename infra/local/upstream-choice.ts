// UPSTREAM (decisions 10): the providers themselves, or the bundled answers where they cannot be reached.
import { defaults, env } from '../../shared/env.ts';
import { baseAddress, type Environment, setting } from '../../shared/live/settings.ts';
import { userAgentOf } from '../../shared/live/upstream.ts';
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

const primaryProvider = (from: Environment): string =>
  baseAddress(from, env.fxTwitterBaseUrl) ?? defaults[env.fxTwitterBaseUrl];

/** Any JSON will do: a provider that answers in JSON is there, whatever it says. */
const answers = async (from: Environment): Promise<boolean> => {
  const canary = setting(from, env.canaryPost) ?? defaults[env.canaryPost];
  try {
    const response = await fetch(`${primaryProvider(from)}/2/status/${encodeURIComponent(canary)}`, {
      headers: { 'User-Agent': userAgentOf(undefined) },
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MILLISECONDS),
    });
    await response.body?.cancel();
    return /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  } catch {
    return false; // no answer, or none in time
  }
};

const live = (from: Environment): ChosenUpstream => ({
  environment: { [env.upstream]: 'live' },
  line: `upstream: live, ${primaryProvider(from)}`,
  close: async () => undefined,
});

const sample = async (reason: string): Promise<ChosenUpstream> => {
  const server = await startSampleServer();
  return {
    environment: {
      [env.upstream]: 'sample',
      [env.fxTwitterBaseUrl]: `${server.origin}/fxtwitter`,
      [env.syndicationBaseUrl]: `${server.origin}/syndication`,
      [env.canaryPost]: defaults[env.canaryPost],
    },
    line: `upstream: sample, ${server.size} bundled answers (${reason}); other posts are 404`,
    close: server.close,
  };
};

const auto = async (from: Environment): Promise<ChosenUpstream> => {
  if (await answers(from)) return live(from);
  const chosen = await sample(`${primaryProvider(from)} does not answer`);
  return { ...chosen, notice: chosen.line };
};

/** @throws when UPSTREAM has another value than the three */
export const chooseUpstream = async (from: Environment): Promise<ChosenUpstream> => {
  const wanted = setting(from, env.upstream) ?? 'auto';
  switch (wanted) {
    case 'live':
      return live(from);
    case 'sample':
      return sample('as asked');
    case 'auto':
      return auto(from);
    default:
      throw new Error(`${env.upstream} must be auto, live or sample`);
  }
};
