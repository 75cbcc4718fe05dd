// Gives the checks their access to the verified service. It remembers every answer for the checks over all answers, and
// sends a plain GET only once.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { asRecord, type JsonRecord } from '../model/json.ts';
import type { WallClock } from '../ports/system.ts';
import { type Answer, jsonOf, type Probe, textMember } from './answer.ts';
import { type Client, httpClient } from './client.ts';

export interface Subject {
  /** The id of a post that is known to exist. */
  readonly post: string;
  /** The handle of a profile that is known to exist. */
  readonly profile: string;
}

export interface ServiceOptions {
  /** For dates in documents. */
  readonly wall: WallClock;
  readonly origin: URL;
  readonly subject: Subject;
  /** An API key of the service. */
  readonly key?: string | undefined;
  /** The URL of the HTTP API or of the function URL, which must refuse requests that do not come from the edge. */
  readonly directOrigin?: URL | undefined;
  /** Ends every request, also those of checks that have started. */
  readonly signal?: AbortSignal | undefined;
  /** @default over the network */
  readonly client?: Client;
}

export interface Service extends ServiceOptions {
  readonly client: Client;
  /** The answers to all requests of `send` and `read`. */
  readonly answers: readonly Answer[];
  send(target: string, probe?: Probe): Promise<Answer>;
  /** The answer to a GET that other checks may have sent. @param accept none by default */
  read(target: string, accept?: string): Promise<Answer>;
  /** Counts the bytes of the body of an answer to HEAD, which has none. */
  countHeadBytes(target: string): Promise<number>;
  /** The `base_url` that the service publishes; its own address if it publishes none. */
  baseUrl(): Promise<string>;
  /** The version of the deployment; undefined if it publishes none. */
  version(): Promise<string | undefined>;
  /** Tells whether `/openapi.json` of the deployment has the path. An older deployment lacks newer routes. */
  hasRoute(path: string): Promise<boolean>;
  /** Tells whether `/openapi.json` of the deployment has a GET with the id. */
  hasOperation(id: string): Promise<boolean>;
  close(): void;
}

const MAX_SOCKETS = 8;

export const createService = (options: ServiceOptions): Service => {
  const { origin, signal, client = httpClient } = options;
  const Agent = origin.protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const answers: Answer[] = [];
  const remembered = new Map<string, Promise<Answer>>();

  const send = async (target: string, probe: Probe = {}): Promise<Answer> => {
    const answer = await client.sendProbe(origin, target, probe, { agent, ...(signal && { signal }) });
    answers.push(answer);
    return answer;
  };
  const read = (target: string, accept?: string): Promise<Answer> => {
    const name = `${accept ?? ''} ${target}`;
    const answer = remembered.get(name) ?? send(target, accept === undefined ? {} : { headers: { Accept: accept } });
    remembered.set(name, answer);
    return answer;
  };
  let described: Promise<JsonRecord> | undefined;
  const description = (): Promise<JsonRecord> => {
    described ??= read('/openapi.json').then(jsonOf);
    return described;
  };
  return {
    ...options,
    client,
    answers,
    send,
    read,
    countHeadBytes: (target) => client.countHeadBytes(origin, target, signal),
    baseUrl: async () => textMember(jsonOf(await read('/api')), 'base_url') ?? origin.origin,
    version: async () => textMember((await description())['info'], 'version'),
    hasRoute: async (path) => Object.hasOwn(asRecord((await description())['paths']) ?? {}, path),
    hasOperation: async (id) =>
      Object.values(asRecord((await description())['paths']) ?? {}).some(
        (path) => textMember(asRecord(path)?.['get'], 'operationId') === id,
      ),
    close: () => agent.destroy(),
  };
};
