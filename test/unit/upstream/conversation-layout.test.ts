// Compares the layout of the sample server with recorded responses of the FxEmbed worker.
import { describe, expect, test } from 'vitest';
import type { RawPost } from '../../support/conversation-layout.ts';
import { partId, RECORDED_PARTS, recordedTide, type ThreadRoute, tideLayout } from '../../support/threads.ts';

const layout = tideLayout();

const shapeOf = (body: RawPost) => {
  const ids = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((entry: RawPost) => entry['id']) : (value ?? null);
  return {
    members: Object.keys(body).sort(),
    status: body['status'],
    thread: ids(body['thread']),
    replies: ids(body['replies']),
    isCut: body['cursor'] !== null && body['cursor'] !== undefined,
  };
};

const routes: readonly ThreadRoute[] = ['conversation', 'thread', 'status'];

describe.each(routes)('the layout of /2/%s', (route) => {
  test.each(RECORDED_PARTS)('the layout for part %i equals the recorded response', (part) => {
    const { status, body } = layout.answer(route, partId(part), new URLSearchParams('ranking_mode=likes'));
    expect(status).toBe(200);
    expect(shapeOf(body)).toEqual(shapeOf({ ...recordedTide(route, part) }));
  });
});
