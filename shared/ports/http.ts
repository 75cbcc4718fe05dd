// Declares the ports of every HTTP pipeline.
import type { ProxyPath } from '../model/picture-hosts.ts';
import type { Clock, Log, WallClock } from './system.ts';

export interface HttpSettings {
  /** The accepted values of x-origin-secret. If there are none, every request is rejected. */
  readonly originSecrets: readonly string[];
  /** `{base_url}` without a trailing slash; undefined: https and the host that the viewer requested. */
  readonly baseUrl: string | undefined;
  /** The number of seconds for which shared caches keep a new post; 0 turns shared caching off. */
  readonly cacheTtlSeconds: number;
  /** Sample data takes the place of X, so no answer may make a statement about X. @default false */
  readonly isSample?: boolean;
  /** Search engines may index permalinks and the search. @default false */
  readonly isIndexed?: boolean;
  /** Pages load pictures and videos through the service, from these paths. @default from X */
  readonly proxyPath?: ProxyPath | undefined;
  /** No service answers at the base URL, because a command reads without one: links lead to X. @default false */
  readonly isAlone?: boolean;
  /** No translation is requested. @default false */
  readonly isUntranslated?: boolean;
}

export interface HttpPorts {
  readonly clock: Clock;
  readonly wall: WallClock;
  readonly log: Log;
  readonly settings: HttpSettings;
}
