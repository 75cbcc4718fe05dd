// The functions in this process, for commands that read without a running service.
import {
  createEngagementsHandler,
  createPostsHandler,
  createProfilesHandler,
  createSearchHandler,
} from '../../functions/bindings/reads.ts';
import type { MediaPorts } from '../../functions/media/create-media-proxy.ts';
import { createAccessControl } from '../../shared/auth/access-control.ts';
import {
  type Environment,
  elapsedClock,
  readCursorSecrets,
  readVariable,
  type WriteLine,
} from '../../shared/composition/environment.ts';
import { listsFromEnvironment } from '../../shared/composition/lists.ts';
import { picturesFromEnvironment, readPictureOrigins } from '../../shared/composition/pictures.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import { EDGE_HEADERS } from '../../shared/contract/headers.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { isLoopback } from '../../shared/model/loopback.ts';
import type { AccessControl } from '../../shared/ports/access-control.ts';
import type { Requester } from '../../shared/ports/upstream.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import { CommandError } from '../command/output.ts';
import { routeRequest } from './api-gateway.ts';
import { type ChosenUpstream, chooseUpstream } from './choose-upstream.ts';
import { lambdaContext } from './function-host.ts';
import { loadCursorSecret, localEnvironment } from './local-environment.ts';

export interface InProcess {
  /** For people; undefined: nothing to say. */
  readonly notice: string | undefined;
  /** The origins of pictures and videos of X. */
  readonly origins: MediaPorts['origins'];
  /** First part of the URLs that `fetch` answers. */
  readonly origin: string;
  fetch(
    url: string,
    init: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal | null },
  ): Promise<Response>;
  close(): Promise<void>;
}

const ORIGIN = 'http://functions.invalid';

const discardLog = (): void => undefined;

/** Allowances share a service between callers. This process has one caller. */
const AMPLE = { count: 1_000_000, seconds: 60 };

const accessControlOfOneCaller = (environment: Environment): AccessControl =>
  createAccessControl({
    keys: { read: async () => undefined },
    counters: createMemoryCounterStore(Date.now),
    allowances: buildAllowances({ searchAnonymous: AMPLE, searchKeyed: AMPLE, browse: AMPLE }),
    networkSecret: readCursorSecrets(environment)[0],
    clock: elapsedClock,
    wall: Date,
    log: discardLog,
    random: Math.random,
  });

/** A function in this process cannot be interrupted, so its answer is ignored. */
const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal | null): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal?.removeEventListener('abort', onAbort));
};

/** Neither does fair use apply to one caller. */
const onlyCaller: Requester = {
  caller: 'command',
  admit: async () => undefined,
  forAnotherRead: () => onlyCaller,
};

/**
 * The ports of functions that serve only this process.
 *
 * @param isAlone links lead to X
 */
export const portsOfOneCaller = (environment: Environment, writeLog: WriteLine, isAlone: boolean) => {
  const lists = listsFromEnvironment(environment, writeLog);
  return {
    ...lists,
    settings: { ...lists.settings, isAlone },
    ...picturesFromEnvironment(environment),
    accessControl: accessControlOfOneCaller(environment),
    fairUse: { requesterAt: () => onlyCaller },
  };
};

/** There is no service, or only on this machine. */
const hasNoPublicUrl = (environment: Environment): boolean => {
  const baseUrl = readVariable(environment, env.baseUrl);
  return baseUrl === undefined || isLoopback(baseUrl);
};

/** @throws Error if a setting is invalid */
export const environmentOfOneCaller = (given: Environment, upstream: ChosenUpstream) => {
  const cursorSecret = loadCursorSecret(given);
  const environment = localEnvironment({
    ...given,
    ...upstream.environment,
    ...cursorSecret.environment,
    [env.originSecrets]: localDefaults.originSecret,
  });
  const notices = [upstream.notice, cursorSecret.notice].filter((notice) => notice !== undefined);
  return { environment, notice: notices.join('\n') || undefined };
};

/** @throws Error if a setting is invalid */
const inProcess = (given: Environment, upstream: ChosenUpstream): InProcess => {
  const { environment, notice } = environmentOfOneCaller(given, upstream);
  const ports = portsOfOneCaller(environment, discardLog, hasNoPublicUrl(given));
  const handlers: Partial<Readonly<Record<LambdaName, LambdaHandler>>> = {
    engagements: createEngagementsHandler(ports),
    posts: createPostsHandler(ports),
    profiles: createProfilesHandler(ports),
    search: createSearchHandler(ports),
  };
  return {
    notice,
    origins: readPictureOrigins(environment),
    origin: ORIGIN,
    async fetch(url, { headers: { Accept: accept = '*/*' }, signal }) {
      const target = url.slice(ORIGIN.length);
      const [path = '', query = ''] = target.split('?');
      const { lambda, event } = routeRequest(
        {
          method: 'GET',
          path,
          query,
          headers: { [EDGE_HEADERS.originSecret]: localDefaults.originSecret, accept },
          body: Buffer.alloc(0),
          sourceIp: '127.0.0.1',
        },
        new Date(),
      );
      const handler = handlers[lambda];
      if (handler === undefined) throw new CommandError(`${target} is no route of posts, profiles, lists or searches`);
      const { statusCode, headers, body, isBase64Encoded } = await unlessAborted(
        handler(event, lambdaContext(lambda, event.requestContext.requestId)),
        signal,
      );
      return new Response(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'), {
        status: statusCode ?? 500,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      });
    },
    close: upstream.close,
  };
};

/** @throws Error if a setting is invalid */
export const startInProcess = async (given: Environment): Promise<InProcess> => {
  const upstream = await chooseUpstream(given);
  try {
    return inProcess(given, upstream);
  } catch (error) {
    // Otherwise the server of the sample would keep the process running.
    await upstream.close();
    throw error;
  }
};
