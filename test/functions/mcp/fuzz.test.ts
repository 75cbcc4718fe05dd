// Sends generated messages to the endpoint and checks that each answer has the right id and only texts of the service.
// `FUZZ_SEED=… FUZZ_RUNS=…` chooses other messages and their number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogFields } from '../../../shared/ports/system.ts';
import { type Exchange, exchanges, judge } from '../../generators/json-rpc-fuzz.ts';
import { readRuns } from '../../generators/seed.ts';
import { type McpAnswer, mcpCalls } from '../../support/mcp-calls.ts';
import { createTestRegistry } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';

/** Matches texts of validators and stack traces. */
const FOREIGN_TEXT =
  /invalid_type|invalid_union|unrecognized_keys|"expected"|received|Zod|ajv|must NOT|node_modules|\bat \S+ \(/i;

const METHOD_ERRORS = [-32601, -32602, -32600, -32000, -32020, -32022];

interface Rpc {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

const answersIn = ({ json }: McpAnswer): readonly Rpc[] => (json === undefined ? [] : [json].flat());

const check = (exchange: Exchange, answer: McpAnswer): void => {
  const { isBatch, expected } = judge(exchange);
  const answers = answersIn(answer);
  expect(Array.isArray(answer.json)).toBe(isBatch && expected.length > 0);
  expect(answers.map(({ id }) => JSON.stringify(id))).toEqual(expected.map(({ id }) => JSON.stringify(id)));
  answers.forEach(({ jsonrpc, result, error }, index) => {
    expect([jsonrpc, (result === undefined) !== (error === undefined)]).toEqual(['2.0', true]);
    if (expected[index]?.isRefused) expect(error?.code).toSatisfy((code) => code === -32600 || code === -32700);
    else if (error !== undefined) expect(METHOD_ERRORS).toContain(error.code);
    expect(error?.message ?? '').not.toMatch(FOREIGN_TEXT);
  });
  expect(expected.length === 0 ? [202] : isBatch ? [200] : [200, 400, 404]).toContain(answer.status);
};

test('[mcp 2] every generated message is answered separately, in time, without a fault and in texts of the service', async () => {
  const log: LogFields[] = [];
  const { call } = mcpCalls(mcpHandler(createTestRegistry().registry, (fields) => void log.push(fields)));
  const property = fc.asyncProperty(exchanges, async (exchange) => {
    check(exchange, await call(exchange.body, exchange.headers));
    // The time limit of the function would log a problem.
    expect(log.splice(0).filter(({ level }) => level === 'error')).toEqual([]);
  });
  await fc.assert(property, { numRuns: readRuns(2000) });
});
