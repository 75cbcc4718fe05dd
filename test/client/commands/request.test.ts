// Checks which failures of the service are repeated, and after how many seconds.
import { describe, expect, test } from 'vitest';
import { parsePage, requestPage } from '../../../client/commands/request.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { ndjsonAnswer, problemAnswer, type ServiceAnswer, serviceOf } from '../../support/export-service.ts';

const TARGET = '/api/v1/search?q=tide&limit=100&format=ndjson';
const page = ndjsonAnswer([{ id: '1' }], null);
const refused = new TypeError('fetch failed');

/** @param answers in order; an error is thrown; the last one repeats */
const send = async (
  answers: readonly (ServiceAnswer | Error)[],
  { isFirst = false, signal = new AbortController().signal } = {},
) => {
  const waits: number[] = [];
  const reasons: string[] = [];
  let calls = 0;
  const service = serviceOf(() => {
    const answer = answers[Math.min(calls, answers.length - 1)] ?? expect.unreachable();
    calls += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const result = await requestPage(service, TARGET, isFirst, {
    signal,
    sleep: async (seconds) => void waits.push(seconds),
    onWait: (_, reason) => void reasons.push(reason),
  }).catch((error: unknown) => error);
  return { result, waits, reasons, calls };
};

describe('requestPage', () => {
  test.each([429, 503] as const)('[lists 7] waits the seconds of Retry-After after %i', async (status) => {
    const { result, waits, reasons } = await send([
      problemAnswer(status, 'busy', 41),
      problemAnswer(status, 'busy', 7),
      page,
    ]);
    expect(result).toMatchObject({ items: [{ value: { id: '1' } }], nextCursor: undefined });
    expect(waits).toEqual([41, 7]);
    expect(reasons).toEqual(['The title of busy', 'The title of busy']);
  });

  test('[lists 7] a spent allowance never ends an export', async () => {
    const { result, calls } = await send([
      ...Array.from({ length: 50 }, () => problemAnswer(429, 'rate_limited', 1)),
      page,
    ]);
    expect(result).toMatchObject({ items: [{}] });
    expect(calls).toBe(51);
  });

  test('[lists 7] the fifth failure in a row ends the export with its problem', async () => {
    const { result, waits } = await send([problemAnswer(503, 'upstream_unavailable', 30)]);
    expect(result).toMatchObject({ message: 'The title of upstream_unavailable\nThe detail.\nDo it.' });
    expect(waits).toEqual([30, 30, 30, 30]);
  });

  test.each([
    ['429 without a time to wait', problemAnswer(429, 'rate_limited')],
    ['429 with a wait of 0 s, which the service never sends', problemAnswer(429, 'rate_limited', 0)],
    ['429 with a negative wait', problemAnswer(429, 'rate_limited', -1)],
    ['429 with a wait that is no number', problemAnswer(429, 'rate_limited', Number.NaN)],
    ['500', problemAnswer(500, 'internal_error')],
    ['502', problemAnswer(502, 'upstream_failed')],
    ['a refused connection', refused],
    ['a body that was broken off', { status: 200, body: page.body.slice(0, -1) }],
    ['a body of another type', { status: 200, body: '<!doctype html>' }],
  ])('[lists 7] waits longer each time after %s', async (_, answer) => {
    const { result, waits } = await send([answer, answer, answer, answer, page]);
    expect(result).toMatchObject({ items: [{}] });
    expect(waits).toEqual([2, 4, 8, 16]);
    expect((await send([answer])).result).toBeInstanceOf(CommandError);
  });

  test.each([400, 401, 403, 404, 406])('[lists 7] status %i ends the export at once', async (status) => {
    const { result, calls } = await send([problemAnswer(status, 'refused', 5), page]);
    expect(result).toMatchObject({ message: 'The title of refused\nThe detail.\nDo it.', failed: { code: 'refused' } });
    expect(calls).toBe(1);
  });

  test('[lists 7] a service that cannot be reached at first ends the export at once', async () => {
    const { result, calls } = await send([refused, page], { isFirst: true });
    expect(result).toMatchObject({
      message: expect.stringMatching(/does not answer.*Start the service, or set BASE_URL/),
    });
    expect(calls).toBe(1);
  });

  test('[lists 7] the reason of a failed connection is that of fetch', async () => {
    const { result } = await send([new TypeError('connect ECONNREFUSED')]);
    expect(result).toMatchObject({
      message: 'The service does not answer (connect ECONNREFUSED). Start the service, or set BASE_URL.',
    });
  });

  test('[lists 7] an answer that no Postern service sends names BASE_URL', async () => {
    const { result } = await send([{ status: 404, body: 'Not Found' }]);
    expect(result).toMatchObject({ message: expect.stringMatching(/HTTP 404.*BASE_URL/) });
  });

  test('[lists 7] a signal ends the export instead of a repetition', async () => {
    const aborter = new AbortController();
    aborter.abort(130);
    const { result, waits } = await send([refused], { signal: aborter.signal });
    expect(result).toBe(130);
    expect(waits).toEqual([]);
  });
});

describe('parsePage', () => {
  test('[lists 7] no prefix of a page is a page', () => {
    const { body } = ndjsonAnswer([{ id: '1', text: 'a\nb' }, { id: '2' }], 'AAAA', [{ code: 'x', message: 'y' }], {
      missing: [],
    });
    for (let end = 0; end < body.length; end += 1) expect(parsePage(body.slice(0, end)), `${end}`).toBeUndefined();
    expect(parsePage(body)).toEqual({
      items: [
        { line: '{"id":"1","text":"a\\nb"}', value: { id: '1', text: 'a\nb' } },
        { line: '{"id":"2"}', value: { id: '2' } },
      ],
      nextCursor: 'AAAA',
      warnings: [{ code: 'x', message: 'y' }],
      about: { missing: [] },
    });
  });
});
