// A fetch that compares each answer with /openapi.json, as all tests do.
import type { Fetch } from '../../client/src/index.ts';
import { expectConformance } from '../support/conformance.ts';

export interface SentRequest {
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyStatus: string | null;
}

/** @param sent collects the requests @param rewrite changes the target, for routes that the client does not call */
export const checkedFetch =
  (sent: SentRequest[] = [], rewrite: (target: string) => string = (target) => target): Fetch =>
  async (url, init) => {
    const { origin } = new URL(url);
    const target = rewrite(url.slice(origin.length));
    const response = await fetch(`${origin}${target}`, init);
    sent.push({
      target,
      status: response.status,
      headers: init.headers,
      keyStatus: response.headers.get('X-Api-Key-Status'),
    });
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.clone().text(),
    };
    expectConformance('GET', target, answer, init.headers, { isAtEdge: true });
    return response;
  };
