// Builds an instance of a function from the components of the service, with a clock, a sender and stores of the
// simulation. Only the HTTP pipeline and the rendering are left out.
import { createAccessControl } from '../../../shared/auth/access-control.ts';
import { clientNetwork } from '../../../shared/auth/client-network.ts';
import type { AllowanceName, Allowances } from '../../../shared/contract/allowances.ts';
import { Problem, requestOutcome } from '../../../shared/contract/problems.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { User } from '../../../shared/model/user.ts';
import type { ApiKeyReader, CounterStore } from '../../../shared/ports/stores.ts';
import type { Log } from '../../../shared/ports/system.ts';
import type {
  PostListRequest,
  PostRequest,
  Requester,
  Upstream,
  UserListRequest,
} from '../../../shared/ports/upstream.ts';
import { createFairUse } from '../../../shared/rate-limit/fair-use.ts';
import { createBaseUrls } from '../../../shared/upstream/base-urls.ts';
import { PRODUCTION_LIMITS } from '../../../shared/upstream/client-limits.ts';
import { createListReader } from '../../../shared/upstream/create-upstream.ts';
import { createCanary, createFallback } from '../../../shared/upstream/fallback.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from '../../../shared/upstream/fxtwitter/requests.ts';
import { createJsonClient } from '../../../shared/upstream/json-client.ts';
import { createRequestCache } from '../../../shared/upstream/request-cache.ts';
import { listFollows } from '../../../shared/use-cases/list-follows.ts';
import { readPost } from '../../../shared/use-cases/read-post.ts';
import { readProfile } from '../../../shared/use-cases/read-profile.ts';
import { searchPosts } from '../../../shared/use-cases/search-posts.ts';
import { createCursorCodec } from '../../../shared/use-cases/signed-cursors.ts';
import type { SimulatedProvider } from './simulated-provider.ts';
import type { VirtualTime } from './virtual-time.ts';

const CACHE_MILLISECONDS = 60_000;
const CANARIES = { post: '20', profile: 'X' };
const CANARY_POST: PostRequest = { id: CANARIES.post, thread: 'off', replies: 'off' };

export interface World {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly provider: SimulatedProvider;
  /** The tables, which all instances share. */
  readonly counters: CounterStore;
  readonly keys: ApiKeyReader;
  readonly allowances: Allowances;
  readonly log: Log;
}

export interface Visitor {
  readonly address: string;
  /** The field Authorization of a caller with an API key. */
  readonly authorization?: string;
}

export type ReadKindOfInstance = 'post' | 'list' | 'search' | 'tool';

/** The code of the problem document, or `ok`. */
export type ReadResult = 'ok' | Problem['code'];

export interface Instance {
  /** Never rejects, except for a bug. @param subject the number of the post, the profile or the query */
  read(kind: ReadKindOfInstance, subject: number, visitor: Visitor): Promise<ReadResult>;
}

const createUpstreamOf = ({ time, random, provider, log }: World): Upstream => {
  const clock = time.now;
  const { baseUrls } = provider;
  const [baseUrl = ''] = baseUrls;
  const rows = baseUrls.map((url, index) => {
    const client = createJsonClient({
      source: 'fxtwitter',
      userAgent: 'simulation',
      queryKinds: fxTwitterQueryKinds(url, CANARIES),
      clock,
      log,
      random,
      // Replaces the sender over HTTP.
      wrapSender: () => provider.senderOf(index),
    });
    return { baseUrl: url, weight: 1, client };
  });
  const http = createBaseUrls(rows, random);
  const fxTwitter = createFxTwitter({ baseUrl, source: 'fxtwitter', http, clock });
  const { attemptMilliseconds } = PRODUCTION_LIMITS;
  const callPost = createFallback(
    [
      {
        call: fxTwitter.readPost,
        canary: createCanary((budget) => fxTwitter.readPost(CANARY_POST, budget), { clock, attemptMilliseconds }),
      },
    ],
    'post',
  );
  const callProfile = createFallback(
    [
      {
        call: fxTwitter.readProfile,
        canary: createCanary((budget) => fxTwitter.readProfile(CANARIES.profile, budget), {
          clock,
          attemptMilliseconds,
        }),
      },
    ],
    'profile',
  );
  const postCache = createRequestCache<Conversation>(clock, CACHE_MILLISECONDS);
  const profileCache = createRequestCache<User>(clock, CACHE_MILLISECONDS);
  const providers = [{ name: 'fxtwitter', provider: fxTwitter }];
  const options = { clock, log, cacheMilliseconds: CACHE_MILLISECONDS };
  const lists = {
    listPosts: createListReader(providers, (_, request: PostListRequest) => fxTwitter.readPosts(request), options),
    listUsers: createListReader(providers, (_, request: UserListRequest) => fxTwitter.readUsers(request), options),
  };
  return {
    readPost: (request, deadline, requester) =>
      postCache({
        key: `${request.id} ${request.thread} ${request.replies}`,
        deadline,
        admit: requester?.admit,
        call: () => callPost(request, { deadline, retries: 1, caller: requester?.caller }),
      }),
    readProfile: (handle, deadline, requester) =>
      profileCache({
        key: handle.toLowerCase(),
        deadline,
        admit: requester?.admit,
        call: () => callProfile(handle, { deadline, retries: 1, caller: requester?.caller }),
      }),
    ...lists,
  };
};

const LIMIT = 20;

/** Ids of this length are older than the virtual day. */
const FIRST_ID = 1_000_000_000;

const codeOf = (error: unknown): Problem['code'] => {
  if (error instanceof Problem) return error.code;
  throw error;
};

export const createInstance = (world: World): Instance => {
  const clock = world.time.now;
  const upstream = createUpstreamOf(world);
  const ports = { upstream, clock, cursors: createCursorCodec(['a secret of the simulation']) };
  const fairUse = createFairUse(clock, clientNetwork);
  const accessControl = createAccessControl({
    keys: world.keys,
    counters: world.counters,
    allowances: world.allowances,
    networkSecret: 'a secret of the simulation',
    clock,
    log: world.log,
    random: world.random,
  });

  const post = async (subject: number, requester: Requester): Promise<void> => {
    const id = String(FIRST_ID + subject);
    await readPost({ ref: { handle: 'ada', id }, thread: 'full', replies: 'top' }, ports, requester);
  };

  const profileOrFollowers = async (subject: number, requester: Requester): Promise<void> => {
    const input = { handle: `u${subject}`, limit: LIMIT, list: [] };
    if (subject % 2 === 0) await readProfile(input, ports, requester);
    else await listFollows('followers', input, ports, requester);
  };

  const search = async (subject: number, requester: Requester): Promise<void> => {
    await searchPosts({ query: `word${subject}`, feed: 'latest', limit: LIMIT, list: [] }, ports, requester);
  };

  const charged = async (
    name: AllowanceName,
    subject: number,
    { address, authorization }: Visitor,
    work: (subject: number, requester: Requester) => Promise<void>,
  ): Promise<ReadResult> => {
    const caller = accessControl.identify({ ip: address, authorization });
    const admit = (): Promise<void> => caller.chargeAllowance(name, String(subject));
    try {
      await work(subject, { caller: caller.network, admit });
      await caller.settle('answered');
      return 'ok';
    } catch (error) {
      await caller.settle(requestOutcome(error));
      return codeOf(error);
    }
  };

  const byFairUse = async (subject: number, { address }: Visitor): Promise<ReadResult> => {
    try {
      await post(subject, fairUse.requesterAt(address));
      return 'ok';
    } catch (error) {
      return codeOf(error);
    }
  };

  return {
    read(kind, subject, visitor) {
      switch (kind) {
        case 'post':
          return byFairUse(subject, visitor);
        case 'list':
          return charged('browse', subject, visitor, profileOrFollowers);
        case 'search':
          return charged('search', subject, visitor, search);
        case 'tool':
          // Half of the calls read posts, by fair use; the others read profiles.
          return subject % 2 === 0
            ? byFairUse(subject, visitor)
            : charged('browse', subject, visitor, profileOrFollowers);
      }
    },
  };
};
