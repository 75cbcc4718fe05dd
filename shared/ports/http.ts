// Declares what every HTTP pipeline needs.
import type { Clock, Log } from './system.ts';

export interface HttpSettings {
  /** Accepted values of x-origin-secret; none refuses everything. */
  readonly originSecrets: readonly string[];
  /** `{base_url}` without trailing slash; unset: the host that the edge saw. */
  readonly baseUrl: string | undefined;
  /** Seconds a shared cache keeps a post; 0 turns caching off. */
  readonly cacheTtlSeconds: number;
}

export interface HttpPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: HttpSettings;
}
