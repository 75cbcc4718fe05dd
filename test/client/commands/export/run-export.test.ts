// Breaks exports off at every byte and every request, and compares the resumed file with a complete one.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ExportArguments } from '../../../../client/commands/export/arguments.ts';
import { runExport } from '../../../../client/commands/export/run-export.ts';
import type { Service } from '../../../../client/commands/service.ts';
import {
  idsIn,
  listService,
  ndjsonAnswer,
  parametersOf,
  postsOf,
  problemAnswer,
  recordingPorts,
  serviceOf,
  textIn,
  timelineService,
} from '../../../support/export-service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const FOLLOWERS = '/api/v1/profiles/ada/followers';
const POSTS = '/api/v1/profiles/ada/posts';
const FILE = 'list.ndjson';

const given = (members: Partial<ExportArguments> = {}): ExportArguments => ({
  target: FOLLOWERS,
  limit: Number.POSITIVE_INFINITY,
  file: undefined,
  ...members,
});

/** Exports to standard output. */
const exported = async (service: Service, members: Partial<ExportArguments> = {}): Promise<string> => {
  const { ports, output } = recordingPorts(service);
  await runExport(given(members), ports);
  return output.join('');
};

const LISTS = [
  ['a list', FOLLOWERS, () => listService(postsOf(13), 4)],
  ['a timeline that ends early', POSTS, () => timelineService(postsOf(13), { reach: 5, size: 4 })],
] as const;

describe.each(LISTS)('the export of %s', (_, target, create) => {
  const expected = postsOf(13).map(({ id }) => id);

  test('[lists 7] the export writes every item once and in order, as the service wrote it', async () => {
    const text = await exported(create().service, { target });
    expect(idsIn(text)).toEqual(expected);
    const items = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(items.map(({ checkpoint: _checkpoint, checkpoint_list: _list, ...item }) => item)).toEqual(postsOf(13));
  });

  test('[lists 7] a file that was cut off at any byte is the same file after --resume', async () => {
    const folder = temporaryFolder();
    const complete = Buffer.from(await exported(create().service, { target }));
    for (let bytes = 0; bytes <= complete.length; bytes += 1) {
      writeFileSync(join(folder, FILE), complete.subarray(0, bytes));
      const { ports } = recordingPorts(create().service, { folder });
      await runExport(given({ target, file: FILE }), ports);
      expect(textIn(folder, FILE) === complete.toString(), `cut at ${bytes}`).toBe(true);
    }
  });

  test('[lists 7] a file with a checkpoint is resumed without the name of its list', async () => {
    const folder = temporaryFolder();
    const complete = await exported(create().service, { target });
    const lines = complete.split('\n');
    const first = lines.findIndex((line) => line.includes('"checkpoint"'));
    writeFileSync(join(folder, FILE), `${lines.slice(0, first + 1).join('\n')}\n{"id":"torn`);
    await runExport(given({ target: undefined, file: FILE }), recordingPorts(create().service, { folder }).ports);
    expect(textIn(folder, FILE)).toBe(complete);
  });

  test('[lists 7] an export that fails at any request is complete after --resume', async () => {
    const { service, answer } = create();
    const complete = await exported(service, { target });
    for (let failing = 1; failing < 6; failing += 1) {
      const folder = temporaryFolder();
      let request = 0;
      const failingService = serviceOf((at) => {
        request += 1;
        return request === failing ? problemAnswer(400, 'invalid_parameter') : answer(at);
      });
      const { ports } = recordingPorts(failingService, { folder });
      await runExport(given({ target, file: FILE }), ports).catch(() => undefined);
      await runExport(given({ target, file: FILE }), recordingPorts(service, { folder }).ports);
      expect(textIn(folder, FILE)).toBe(complete);
    }
  });

  test('[lists 7] --limit bounds the items of the file, and a greater limit continues', async () => {
    const folder = temporaryFolder();
    for (const limit of [1, 4, 5, 12, 13, 99]) {
      await runExport(given({ target, file: FILE, limit }), recordingPorts(create().service, { folder }).ports);
      expect(idsIn(textIn(folder, FILE))).toEqual(expected.slice(0, limit));
    }
  });
});

test('[lists 7] the export escapes what a terminal obeys, and the items keep their values', async () => {
  const text = 'a\u009b2J\u202eb\u2066c\u007f\u200d\ufe0f';
  const { body } = ndjsonAnswer([], null);
  const output = await exported(serviceOf(() => ({ status: 200, body: `{"id":"1",\r"text":"${text}"}\r\n${body}` })));
  expect(output).toBe(
    `{"id":"1", "text":"a\\u009b2J\\u202eb\\u2066c\\u007f\u200d\ufe0f","checkpoint":null,"checkpoint_list":"${FOLLOWERS}"}\n`,
  );
  expect(JSON.parse(output)).toMatchObject({ id: '1', text });
});

test('[lists 7] the export requests no page before the page before it is written', async () => {
  const { service, targets } = listService(postsOf(13), 4);
  const written: (() => void)[] = [];
  const { ports } = recordingPorts(service, {
    createStandardOutput: () => ({
      write: () => new Promise((resolve) => void written.push(resolve)),
      close: async () => undefined,
      isFile: false,
    }),
  });
  const ended = runExport(given(), ports);
  for (let page = 1; page <= 4; page += 1) {
    await vi.waitUntil(() => written.length === page);
    expect(targets).toHaveLength(page);
    written[page - 1]?.();
  }
  await ended;
});

describe('the older part of a timeline', () => {
  test('[lists 7] the export continues with the posts until the second of the last post', async () => {
    const { service, targets } = timelineService(postsOf(10), { reach: 5 });
    await exported(service, { target: `${POSTS}?since=2026-11-21` });
    const untils = targets.map((target) => parametersOf(target).get('until'));
    expect(untils).toEqual([null, '2026-11-21T12:00:00Z', '2026-11-21T11:59:58Z']);
    for (const target of targets) expect(parametersOf(target).get('since')).toBe('2026-11-21');
  });

  test('[lists 7] a pinned post that the timeline has first is not repeated', async () => {
    const posts = postsOf(12);
    const pinned = posts[10] ?? expect.unreachable();
    const { service } = timelineService(posts, { reach: 5, pinned });
    const ids = idsIn(await exported(service, { target: POSTS }));
    expect(ids).toEqual([pinned.id, ...posts.filter((post) => post !== pinned).map(({ id }) => id)]);
  });

  test('[lists 7] a service that ignores until ends the export', async () => {
    const { service, targets } = listService(postsOf(5));
    expect(idsIn(await exported(service, { target: POSTS }))).toHaveLength(5);
    expect(targets).toHaveLength(2);
  });

  test('[lists 7] a cursor that the service no longer accepts is replaced by the time of the last post', async () => {
    const folder = temporaryFolder();
    const { service, answer } = timelineService(postsOf(13), { reach: 13, size: 4 });
    await runExport(given({ target: POSTS, file: FILE, limit: 4 }), recordingPorts(service, { folder }).ports);
    const strict = serviceOf((target) =>
      parametersOf(target).get('cursor') === '4' && !target.includes('until')
        ? problemAnswer(400, 'invalid_cursor')
        : answer(target),
    );
    await runExport(given({ target: POSTS, file: FILE }), recordingPorts(strict, { folder }).ports);
    expect(idsIn(textIn(folder, FILE))).toEqual(postsOf(13).map(({ id }) => id));
  });
});

describe('--resume', () => {
  test.each([
    ['of one page', 4, 4],
    ['that is complete', 100, 4],
    ['of a list with one page', 100, 100],
  ])('[lists 7] a file %s is not continued with another list, and is unchanged', async (_, limit, size) => {
    const folder = temporaryFolder();
    const { service } = listService(postsOf(13), size);
    await runExport(given({ file: FILE, limit }), recordingPorts(service, { folder }).ports);
    const before = textIn(folder, FILE);
    for (const target of ['/api/v1/profiles/bob/followers', '/api/v1/profiles/ada/following', `${FOLLOWERS}?x=1`])
      await expect(runExport(given({ target, file: FILE }), recordingPorts(service, { folder }).ports)).rejects.toThrow(
        /another list/,
      );
    expect(textIn(folder, FILE)).toBe(before);
  });

  test.each([
    'a note\n',
    '{"a":1}\n',
    '[]\n',
    '{"id":"1"}\nnot an item\n{"id":"2"}\n',
    `${'{"id":"1"}\n'.repeat(101)}`,
    '{"id":"1","checkpoint":"https://example.org/"}\n',
    '{"id":"1","checkpoint":"//example.org/api/v1/"}\n',
    '{"id":"1","checkpoint":"/api/v1/..\\\\evil"}\n',
    '{"id":"1","checkpoint":7}\n',
    '{"id":"1","checkpoint":"/api/v1/../../admin"}\n',
    '{"id":"1","checkpoint":"/api/v1/profiles/../posts"}\n',
    '{"id":"1","checkpoint":"/api/v1/profiles/%2e%2e/posts"}\n',
    '{"id":"1","checkpoint":"/api/v1/profiles/ada/likes"}\n',
    '{"id":"1","checkpoint":"/api/v1/profiles/ada/posts?redirect=x"}\n',
    '{"id":"1","checkpoint":"/api/v1/profiles/ada/posts?cursor=a&cursor=b"}\n',
    '{"id":"1","checkpoint":null,"checkpoint_list":"/admin"}\n',
    'text without a line end',
    '{"whole":"and of another program"}',
  ])('[lists 7] a file that is no export is rejected and unchanged: %j', async (content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, FILE), content);
    const { ports } = recordingPorts(listService(postsOf(3)).service, { folder });
    await expect(runExport(given({ file: FILE }), ports)).rejects.toThrow(/^Line \d+ of .* is no item of an export/);
    expect(textIn(folder, FILE)).toBe(content);
  });

  test('[lists 7] zeros after the last checkpoint, as after a power failure, are replaced', async () => {
    const folder = temporaryFolder();
    const { service } = listService(postsOf(9), 4);
    await runExport(given({ file: FILE, limit: 4 }), recordingPorts(service, { folder }).ports);
    writeFileSync(join(folder, FILE), Buffer.concat([Buffer.from(textIn(folder, FILE)), Buffer.alloc(500)]));
    await runExport(given({ file: FILE }), recordingPorts(service, { folder }).ports);
    expect(idsIn(textIn(folder, FILE))).toEqual(postsOf(9).map(({ id }) => id));
  });

  test('[lists 7] a file without a checkpoint needs the name of its list, and is not created', async () => {
    const folder = temporaryFolder();
    const { ports } = recordingPorts(listService([]).service, { folder });
    await expect(runExport(given({ target: undefined, file: FILE }), ports)).rejects.toThrow(/Name its list/);
    expect(existsSync(join(folder, FILE))).toBe(false);
  });

  test('[lists 7] a complete list is not read again', async () => {
    const folder = temporaryFolder();
    const { service, targets } = listService(postsOf(3));
    await runExport(given({ file: FILE }), recordingPorts(service, { folder }).ports);
    const { ports, reports } = recordingPorts(service, { folder });
    await runExport(given({ file: FILE }), ports);
    expect(targets).toHaveLength(1);
    expect(reports).toEqual(['3 items, nothing is left to read\n']);
  });
});

describe('standard error', () => {
  test('has each warning once and a last line with the number of items', async () => {
    const warnings = [
      { code: 'article_previews', message: 'Previews\u001b[2J\n\u202eonly.' },
      { code: 'partial_page', message: 'short' },
    ];
    const pages = [ndjsonAnswer(postsOf(2), '1', warnings), ndjsonAnswer(postsOf(1), null, warnings)];
    const { ports, reports } = recordingPorts(serviceOf(() => pages.shift() ?? expect.unreachable()));
    await runExport(given(), ports);
    expect(reports).toEqual(['warning: Previews[2J only.\n', '3 items, done\n']);
  });

  test('says how to continue after a failure', async () => {
    const pages = [ndjsonAnswer(postsOf(2), '1'), problemAnswer(404, '\u001b]0;profile_not_found\u0007\n')];
    const { ports, reports } = recordingPorts(serviceOf(() => pages.shift() ?? expect.unreachable()));
    await expect(runExport(given(), ports)).rejects.toThrow('The title of ]0;profile_not_found\nThe detail.\nDo it.');
    expect(reports).toEqual(['2 items. Continue with --resume FILE\n']);
  });
});
