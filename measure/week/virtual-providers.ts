// Answers for both providers of a simulated world, or fails as an episode says.
import type { Random } from '../../test/support/random.ts';
import {
  answerMissing,
  answerTruthfully,
  otherPath,
  type ProviderAnswer,
  parseProviderPath,
} from '../../test/support/truthful-provider.ts';
import type { VirtualTime } from './virtual-time.ts';
import { connectionError, type Network, type NetworkAnswer } from './virtual-undici.ts';
import { activeAt, between, type World } from './world.ts';

export const FX = 'http://fx.test';
export const SYND = 'http://synd.test';

const json = (status: number, body: string): ProviderAnswer => ({ status, type: 'application/json', body });
const html = (status: number): ProviderAnswer => ({ status, type: 'text/html', body: '<!DOCTYPE html><h1>LEAKY</h1>' });

/** The answer of each provider, also about a subject that cannot be read. */
const truthOf = (world: World, path: string, now: number): ProviderAnswer => {
  const { kind, subject } = parseProviderPath(path);
  if (kind === 'post' || kind === 'embed') {
    const post = world.posts.find(({ id }) => id === subject);
    if (post === undefined || post.existence === 'exists') {
      if (post === undefined || now < post.deletedAt) return answerTruthfully(path);
      if (kind === 'embed') return answerMissing(path);
      return json(404, JSON.stringify({ code: 404, status: { type: 'tombstone', id: subject, reason: 'deleted' } }));
    }
    if (post.existence === 'missing') return answerMissing(path);
    return kind === 'post'
      ? json(401, '{"code":401,"message":"PRIVATE_TWEET","status":null}')
      : json(
          200,
          '{"__typename":"TweetTombstone","tombstone":{"text":{"text":"This account owner limits who can view"}}}',
        );
  }
  const existence = world.handles.get(subject.toLowerCase()) ?? 'exists';
  if (kind === 'search' || existence === 'exists') return answerTruthfully(path);
  if (existence === 'missing' || kind !== 'profile') return answerMissing(path);
  const { user } = JSON.parse(answerTruthfully(path).body);
  return json(200, JSON.stringify({ code: 200, user: { ...user, protected: true } }));
};

const isLie = (path: string): boolean => ['post', 'embed', 'profile'].includes(parseProviderPath(path).kind);

export const createProviders = (world: World, time: VirtualTime, random: Random): Network => {
  const toNetwork = (
    { status, type, body }: ProviderAnswer,
    more: Readonly<Record<string, string>> = {},
  ): NetworkAnswer => ({
    statusCode: status,
    headers: { 'content-type': type, ...more },
    body,
  });
  return async (url) => {
    const provider = url.startsWith(FX) ? 'fx' : 'synd';
    const path = url.slice((provider === 'fx' ? FX : SYND).length);
    const episode = activeAt(world.providerEpisodes, time.now());
    const isAffected = episode?.providers.includes(provider) === true;
    const latency = between(random, 30, 300);
    const truth = async (): Promise<NetworkAnswer> => {
      await time.sleep(latency);
      return toNetwork(truthOf(world, path, time.now()));
    };
    if (episode === undefined || !isAffected) return truth();
    const retryAfter = { 'retry-after': String(episode.retryAfter) };
    switch (episode.failure) {
      case 'refused':
        throw connectionError('ECONNREFUSED');
      case 'reset':
        await time.sleep(latency);
        throw connectionError('UND_ERR_SOCKET');
      case 'hang':
        return new Promise(() => undefined);
      case 'slow':
        await time.sleep(2000);
        return truth();
      case 'error':
        await time.sleep(latency);
        return toNetwork(json(500, '{"code":500,"message":"LEAKY"}'));
      case 'overloaded':
        return toNetwork(json(503, '{"code":503,"message":"LEAKY"}'), retryAfter);
      case 'throttled':
        return toNetwork(json(429, '{"code":429,"message":"LEAKY"}'), retryAfter);
      case 'html':
        return toNetwork(html(200));
      case 'absent':
        await time.sleep(latency);
        return toNetwork(answerMissing(path));
      case 'another':
        return isLie(path) ? toNetwork(answerTruthfully(otherPath(path))) : truth();
      case 'flapping':
        if (random() < 0.5) return truth();
        throw connectionError('ECONNRESET');
      default:
        return episode.failure satisfies never;
    }
  };
};
