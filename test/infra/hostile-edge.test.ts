// Sends generated events to the built edge function. `FUZZ_SEED=… FUZZ_RUNS=…` chooses other cases and their number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildEdge, edgeContract } from '../../infra/build/bundle-edge.ts';
import { edgeScript } from '../../infra/local/edge-sandbox.ts';
import { parseBearer } from '../../shared/auth/api-key.ts';
import { isPrivatePath } from '../../shared/contract/admin-operations.ts';
import { mediaTypes } from '../../shared/contract/media-types.ts';
import { type EdgeEvent, edgeEvents } from '../generators/edge-events.ts';
import { readRuns } from '../generators/seed.ts';

const run = edgeScript(await buildEdge());

const KNOWN_NAMES = new Set([...edgeContract().names.split(' '), 'tools']);
const ACCEPTED = new Set<string>(['*/*', 'application/x-none', ...Object.values(mediaTypes)]);

const decodedNames = (names: readonly string[]): readonly string[] => names.map((name) => decodeURIComponent(name));

const judge = (event: EdgeEvent): void => {
  const sent = event.request;
  const result = run(structuredClone(event));
  expect(result.headers['x-viewer-ip']).toEqual({ value: event.viewer.ip });
  expect(result.headers['x-viewer-host']).toEqual(sent.headers['host'] && { value: sent.headers['host'].value });
  expect(result.headers).not.toHaveProperty('x-origin-secret');
  expect(result.headers).not.toHaveProperty('x-viewer-error');
  expect(result.cookies).toEqual(sent.cookies);
  expect(result.method).toBe(sent.method);
  if (isPrivatePath(result.uri)) {
    expect(result.querystring).toEqual(sent.querystring);
    expect(result.headers['accept']).toEqual(sent.headers['accept']);
    return;
  }
  const names = Object.keys(result.querystring);
  for (const name of names) expect(KNOWN_NAMES).toContain(name);
  expect(decodedNames(names)).toEqual(names);
  for (const { multiValue = [] } of Object.values(result.querystring)) expect(multiValue.length).toBeLessThanOrEqual(2);
  if (result.uri !== '/mcp') expect(ACCEPTED).toContain(result.headers.accept?.value);
  const authorization = result.headers['authorization'];
  if (authorization?.multiValue === undefined && authorization !== undefined)
    expect(parseBearer(authorization.value).kind).not.toBe('none');
  // A path that no route can match is moved once; any other request is not changed again.
  if (result.uri.startsWith('/-/')) return;
  expect(run({ viewer: event.viewer, request: structuredClone(result) })).toEqual(result);
};

test('[platform 1] [caching 12] [headers 3] the edge function normalizes every generated event and trusts no header of the viewer', () => {
  fc.assert(fc.property(edgeEvents, judge), { numRuns: readRuns(1000) });
});
