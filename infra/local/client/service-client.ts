// Sends the requests of an export: to the service at BASE_URL or, if it is unset, to the functions in this process.
import {
  createEngagementsHandler,
  createProfilesHandler,
  createSearchHandler,
} from '../../../functions/bindings/lists.ts';
import { createPostsHandler } from '../../../functions/bindings/posts.ts';
import type { MediaPorts } from '../../../functions/media/create-media-proxy.ts';
import { createAccessControl } from '../../../shared/auth/access-control.ts';
import { listsFromEnvironment } from '../../../shared/composition/cursors.ts';
import {
  type Environment,
  elapsedClock,
  readCursorSecrets,
  readVariable,
  type WriteLine,
} from '../../../shared/composition/environment.ts';
import { picturesFromEnvironment, readPictureOrigins } from '../../../shared/composition/pictures.ts';
import { buildAllowances } from '../../../shared/contract/allowances.ts';
import { EDGE_HEADERS } from '../../../shared/contract/headers.ts';
import type { LambdaName } from '../../../shared/contract/lambdas.ts';
import type { LambdaHandler } from '../../../shared/http/pipeline.ts';
import type { AccessControl } from '../../../shared/ports/access-control.ts';
import type { Requester } from '../../../shared/ports/upstream.ts';
import { env } from '../../../shared/settings/environment-variables.ts';
import { localDefaults, localEnv } from '../../../shared/settings/local-service.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { routeRequest } from '../api-gateway.ts';
import { publicUrl } from '../box-argument.ts';
import { type ChosenUpstream, chooseUpstream } from '../choose-upstream.ts';
import { lambdaContext } from '../function-host.ts';
import { loadCursorSecret, localEnvironment } from '../local-environment.ts';
import { CommandError, requestText } from '../request-text.ts';

export interface ServiceAnswer {
  readonly status: number;
  readonly body: string;
  /** The body is Base64, because it is no text. @default false */
  readonly isBase64?: boolean;
  /** Seconds, at least 1. */
  readonly retryAfter?: number;
}

export interface ServiceClient {
  /** For people; undefined: nothing to say. */
  readonly notice?: string | undefined;
  /** The origins of pictures and videos of X. @default X itself */
  readonly origins?: MediaPorts['origins'];
  /** @param accept of a page, which no `format` selects @throws TypeError or DOMException if the service does not answer */
  get(target: string, signal: AbortSignal, accept?: string): Promise<ServiceAnswer>;
  close(): Promise<void>;
}

/** The service never sends 0. A request that is repeated at once would be a flood. */
const retryAfterIn = (field: string | undefined): Pick<ServiceAnswer, 'retryAfter'> =>
  field !== undefined && /^(?!0+$)[0-9]{1,6}$/.test(field) ? { retryAfter: Number(field) } : {};

/** `fetch` rejects a URL with credentials, and its message would print them. */
const isServiceUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
};

/** @returns it without a slash at its end @throws CommandError */
export const requireServiceUrl = (baseUrl: string): string => {
  const origin = baseUrl.replace(/\/+$/, '');
  if (isServiceUrl(origin)) return origin;
  throw new CommandError(`${env.baseUrl} must be the URL of a service`);
};

const createHttpClient = (baseUrl: string, apiKey: string | undefined): ServiceClient => {
  const origin = requireServiceUrl(baseUrl);
  return {
    async get(target, signal, accept = '*/*') {
      const { status, headers, body, isBase64 } = await requestText(`${origin}${target}`, {
        headers: { Accept: accept, ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }) },
        signal,
      });
      return { status, body, ...(isBase64 && { isBase64 }), ...retryAfterIn(headers.get('retry-after') ?? undefined) };
    },
    close: async () => undefined,
  };
};

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
const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
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

const createHandlers = (
  environment: Environment,
  isAlone: boolean,
): Partial<Readonly<Record<LambdaName, LambdaHandler>>> => {
  const ports = portsOfOneCaller(environment, discardLog, isAlone);
  return {
    engagements: createEngagementsHandler(ports),
    posts: createPostsHandler(ports),
    profiles: createProfilesHandler(ports),
    search: createSearchHandler(ports),
  };
};

interface OneCaller {
  /** Of functions in this process. */
  readonly environment: Environment;
  /** For people. */
  readonly notice: string | undefined;
}

/** @throws Error if a setting is invalid */
export const environmentOfOneCaller = (given: Environment, upstream: ChosenUpstream): OneCaller => {
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
const clientOf = (given: Environment, upstream: ChosenUpstream): ServiceClient => {
  const { environment, notice } = environmentOfOneCaller(given, upstream);
  const handlers = createHandlers(environment, publicUrl(given) === undefined);
  return {
    notice,
    origins: readPictureOrigins(environment),
    async get(target, signal, accept = '*/*') {
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
      const {
        statusCode = 500,
        headers,
        body = '',
        isBase64Encoded: isBase64 = false,
      } = await unlessAborted(handler(event, lambdaContext(lambda, event.requestContext.requestId)), signal);
      return {
        status: statusCode,
        body,
        ...(isBase64 && { isBase64 }),
        ...retryAfterIn(headers['Retry-After']?.toString()),
      };
    },
    close: upstream.close,
  };
};

export const createLocalClient = async (given: Environment): Promise<ServiceClient> => {
  const upstream = await chooseUpstream(given);
  try {
    return clientOf(given, upstream);
  } catch (error) {
    // Otherwise the server of the sample would keep the process running.
    await upstream.close();
    throw error;
  }
};

/** @throws Error if a setting is invalid */
export const createServiceClient = async (environment: Environment): Promise<ServiceClient> => {
  const baseUrl = readVariable(environment, env.baseUrl);
  return baseUrl === undefined
    ? createLocalClient(environment)
    : createHttpClient(baseUrl, readVariable(environment, localEnv.apiKey));
};
