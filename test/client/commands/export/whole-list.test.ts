// Tests the exports that need all pages of a list.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExportFormat } from '../../../../client/commands/export/arguments.ts';
import { runExport } from '../../../../client/commands/export/run-export.ts';
import type { ConversationTree } from '../../../../shared/model/resources.ts';
import { answer, idAt, root, treeWith } from '../../../support/conversation-trees.ts';
import {
  ndjsonAnswer,
  problemAnswer,
  recordingPorts,
  type ServiceAnswer,
  serviceOf,
} from '../../../support/export-service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const TARGET = `/api/v1/posts/${root.id}/conversation`;

/** A chain of five with an answer below a deleted post. */
const whole = treeWith(root, [
  [answer(1, 0)],
  [answer(2, 1)],
  [{ id: idAt(3), unavailable: true, reason: 'deleted' }, idAt(2)],
  [answer(4, 3)],
  [answer(5, 4)],
]);

const pageWith = (ids: readonly number[], { posts, missing }: ConversationTree) => ({
  posts: posts.filter(({ id }) => ids.some((index) => idAt(index) === id)),
  missing,
});
/** The search goes from the latest posts to the earliest: the first page knows no post between the root and its answers. */
const FIRST = pageWith([0, 4, 5], treeWith(root, [[answer(4, 3)], [answer(5, 4)]]));
/** The pages overlap. */
const SECOND = pageWith([1, 2, 4], whole);

const answerWith = (page: typeof FIRST, next: string | null): ServiceAnswer =>
  ndjsonAnswer(page.posts, next, [], { missing: page.missing });

const pagesThen = (last: ServiceAnswer) =>
  serviceOf((target) => (target.includes('cursor=') ? last : answerWith(FIRST, 'next')));

const run = async (format?: ExportFormat, last = answerWith(SECOND, null)) => {
  const { ports, output } = recordingPorts(pagesThen(last));
  const failure = await runExport(
    { target: TARGET, limit: Number.POSITIVE_INFINITY, file: undefined, ...(format && { format }) },
    ports,
  ).catch((error: unknown) => error);
  return { text: output.join(''), failure };
};

test('[lists 19] a conversation of several pages is exported in reading order, each post once at its depth', async () => {
  expect(FIRST.posts.map(({ depth }) => depth)).toEqual([0, 2, 3]);
  const { text } = await run();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual(JSON.parse(JSON.stringify(whole.posts)));
  expect(lines.map(({ depth }) => depth)).toEqual([0, 1, 2, 4, 5]);
});

test('[lists 20] it has the same posts and depths as a table and as a graph', async () => {
  const expected = whole.posts.map(({ id, depth }) => [id, depth]);
  const { text } = await run('csv');
  expect(text.slice(0, text.indexOf('\r\n'))).toMatch(/^id,.*,depth,replies_known,replies_said$/);
  const rows = [...text.matchAll(/^"([0-9]{19})",[\s\S]*?,([0-9]+),[0-9]+,[0-9]*\r\n/gm)];
  expect(rows.map(([, id, depth]) => [id, Number(depth)])).toEqual(expected);
  const graph = [...(await run('graphml')).text.matchAll(/<node id="([0-9]+)">[\s\S]*?"depth">([0-9]+)</g)];
  expect(graph.map(([, id, depth]) => [id, Number(depth)])).toEqual(expected);
});

test.each([undefined, 'csv', 'graphml'] as const)(
  '[lists 12] nothing is written as %s unless all of it is read',
  async (format) => {
    const { text, failure } = await run(format, problemAnswer(400, 'invalid_cursor'));
    expect(text).toBe('');
    expect(failure).toMatchObject({ failed: { code: 'invalid_cursor' } });
  },
);

test('a file with a part of a conversation, of an earlier version, is not continued', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'part.ndjson');
  const { ports } = recordingPorts(pagesThen(answerWith(SECOND, null)), { folder });
  const line = `${JSON.stringify({ ...root, checkpoint: `${TARGET}?cursor=next` })}\n`;
  writeFileSync(file, line);
  await expect(
    runExport({ target: undefined, limit: Number.POSITIVE_INFINITY, file: 'part.ndjson' }, ports),
  ).rejects.toThrow('part.ndjson has a part of a conversation');
  expect(readFileSync(file, 'utf8')).toBe(line);
});
