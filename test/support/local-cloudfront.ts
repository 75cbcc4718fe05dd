// Starts the emulated CloudFront with the real edge function over an API and a function URL that the test sets.
import { createAnswerBounds } from '../../infra/local/answer-bounds.ts';
import { type CloudFrontOptions, createCloudFront } from '../../infra/local/cloudfront.ts';
import type { EdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import { clocksOf } from './clocks.ts';
import { type LocalRequestOptions, sendRequest } from './local-service.ts';
import { startTestServer } from './test-server.ts';

/** The server is stopped when the test ends. */
export const startCloudFront = async (edge: EdgeFunction, origins: Pick<CloudFrontOptions, 'api' | 'mcp'>) => {
  const cache = createSharedCache(clocksOf(Date.now).clock);
  const origin = await startTestServer(
    createCloudFront({
      baseUrl: 'https://postern.example',
      edge,
      cache,
      originSecret: 'local',
      bounds: createAnswerBounds(),
      ...origins,
    }),
  );
  return {
    origin,
    get: (target: string, options?: LocalRequestOptions) =>
      sendRequest(origin, target, { ...options, isForeign: true }),
  };
};
