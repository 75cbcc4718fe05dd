// Starts the emulated CloudFront with the real edge function over an API and a function URL that the test sets.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { bundleEdge } from '../../infra/build/bundle-edge.ts';
import { type CloudFrontOptions, createCloudFront } from '../../infra/local/cloudfront.ts';
import { createEdgeFunction, type EdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { listen, stop } from '../../infra/local/listen.ts';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import { type LocalRequestOptions, sendRequest } from './local-service.ts';

/** The bundle of the edge function in a folder of its own. Call `close` after the tests. */
export const bundledEdge = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'edge-'));
  await bundleEdge(directory);
  const file = join(directory, 'viewer-request.js');
  return { directory, file, edge: createEdgeFunction(file), close: () => rmSync(directory, { recursive: true }) };
};

/** The server is stopped when the test ends. */
export const startCloudFront = async (edge: EdgeFunction, origins: Pick<CloudFrontOptions, 'api' | 'mcp'>) => {
  const cache = createSharedCache(Date.now);
  const server = createServer(
    createCloudFront({ baseUrl: 'https://postern.example', edge, cache, originSecret: 'local', ...origins }),
  );
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return {
    origin,
    get: (target: string, options?: LocalRequestOptions) =>
      sendRequest(origin, target, { ...options, isForeign: true }),
  };
};
