// Tests `npm run save` with a service in memory and a host in place of X's picture hosts.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServiceAnswer } from '../../infra/local/client/service-client.ts';
import { parseSaveArguments } from '../../infra/local/save/arguments.ts';
import { runSave } from '../../infra/local/save/run-save.ts';
import { parametersOf, problemAnswer } from '../support/export-service.ts';
import { FILES, sendFile } from '../support/picture-host.ts';
import { runProgram } from '../support/programs.ts';
import { seededRandom } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestServer } from '../support/test-server.ts';

const idOf = (target: string): string => /(\d+)$/.exec(parametersOf(target).get('url') ?? '')?.[1] ?? '';

const noteOf = (id: string, body: string, handle = 'ada'): string =>
  `---\ntitle: "A note"\nhandle: ${JSON.stringify(handle)}\nid: ${JSON.stringify(id)}\n---\n\n${body}\n`;

const PICTURE = 'https://pbs.twimg.com/media/a.jpg?name=orig';
const VIDEO = 'https://video.twimg.com/tweet_video/b.mp4';

interface Setup {
  readonly answer?: (id: string, target: string) => ServiceAnswer;
  readonly host?: Parameters<typeof startTestServer>[0];
  readonly signal?: AbortSignal;
}

const setup = async ({ answer, host, signal = new AbortController().signal }: Setup = {}) => {
  const origin = await startTestServer(
    host ??
      (({ url }, response) =>
        sendFile(
          response,
          url?.includes('.mp4') ? 'video/mp4' : 'image/jpeg',
          FILES[url?.includes('.mp4') ? 'video/mp4' : 'image/jpeg'],
        )),
  );
  const folder = temporaryFolder();
  const targets: string[] = [];
  const waits: number[] = [];
  let errors = '';
  const save = async (...args: readonly string[]): Promise<number> => {
    const given = parseSaveArguments([...args, '--out', 'out']);
    if (given === undefined) throw new Error('wrong arguments');
    return runSave(given, {
      createClient: async () => ({
        origins: { pbs: origin, video: origin },
        async get(target) {
          targets.push(target);
          const id = idOf(target);
          return answer?.(id, target) ?? { status: 200, body: noteOf(id, `![tide](${PICTURE})\n\n[Video](${VIDEO})`) };
        },
        close: async () => undefined,
      }),
      report: (text) => {
        errors += text;
      },
      isTerminal: false,
      folder,
      now: () => 0,
      signal,
      sleep: async (seconds) => void waits.push(seconds),
    });
  };
  const out = join(folder, 'out');
  return {
    save,
    out,
    folder,
    targets,
    waits,
    errors: () => errors,
    read: (name: string) => readFileSync(join(out, name), 'utf8'),
  };
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'media')
    .sort();

test('[save 1] a note links to its pictures and videos beside it', async () => {
  const { save, out, read, targets } = await setup();
  expect(await save('https://x.com/ada/status/21')).toBe(0);
  expect(filesIn(out)).toEqual(['ada-21.md', 'media/21-1.jpg', 'media/21-2.mp4']);
  expect(read('ada-21.md')).toBe(noteOf('21', '![tide](media/21-1.jpg)\n\n[Video](media/21-2.mp4)'));
  expect(readFileSync(join(out, 'media/21-1.jpg'))).toEqual(FILES['image/jpeg']);
  expect(targets).toEqual([expect.stringMatching(/format=obsidian&replies=off&thread=off$/)]);
});

test('[save 1] what looks like a picture in the text of a post stays text', async () => {
  const body = `!\\[x\\](${PICTURE}) \\\\\\](${PICTURE}) ![a\\\\](${PICTURE}) [b](https://evil.example/a.jpg) ${PICTURE}`;
  const { save, read, out } = await setup({ answer: (id) => ({ status: 200, body: noteOf(id, body) }) });
  await save('21');
  expect(read('ada-21.md')).toContain(
    `!\\[x\\](${PICTURE}) \\\\\\](${PICTURE}) ![a\\\\](media/21-1.jpg) [b](https://evil.example/a.jpg) ${PICTURE}`,
  );
  expect(filesIn(out)).toEqual(['ada-21.md', 'media/21-1.jpg']);
});

test('[save 1] --thread saves the thread once, whatever part is named, and --format writes beside the note', async () => {
  const { save, out, targets, errors } = await setup({
    answer: (_, target) => ({
      status: 200,
      body: target.includes('obsidian') ? noteOf('21', 'text') : '{"post":{}}\n',
    }),
  });
  expect(await save('21', '22', '--thread', '--format', 'json')).toBe(0);
  expect(filesIn(out)).toEqual(['ada-21.json', 'ada-21.md']);
  expect(targets[0]).toMatch(/layout=unrolled/);
  expect(errors()).toBe('1 saved, 1 there already, 0 failed\n');
});

describe('[save 2] the same command', () => {
  test('again reads and writes nothing', async () => {
    const { save, out, targets, errors } = await setup();
    await save('21', '22');
    const times = filesIn(out).map((name) => lstatSync(join(out, name)).mtimeMs);
    await save('21', '22');
    expect(targets).toHaveLength(2);
    expect(filesIn(out).map((name) => lstatSync(join(out, name)).mtimeMs)).toEqual(times);
    expect(errors()).toBe('2 saved, 0 there already, 0 failed\n0 saved, 2 there already, 0 failed\n');
  });

  test('after it was broken off keeps whole files and removes others', async () => {
    const { save, out } = await setup();
    mkdirSync(join(out, 'media'), { recursive: true });
    for (const name of ['.save-0123456789abcdef.part', 'media/.save-0123456789abcdef.part'])
      writeFileSync(join(out, name), 'x');
    writeFileSync(join(out, 'media/21-1.jpg'), FILES['image/jpeg']);
    await save('21');
    expect(filesIn(out)).toEqual(['ada-21.md', 'media/21-1.jpg', 'media/21-2.mp4']);
  });

  test('with another format adds it', async () => {
    const { save, out } = await setup();
    await save('21');
    await save('21', '--format', 'json');
    expect(filesIn(out)).toContain('ada-21.json');
  });
});

describe('[save 3] what is in the folder', () => {
  test('is not replaced', async () => {
    const { save, out, read } = await setup();
    mkdirSync(join(out, 'media'), { recursive: true });
    writeFileSync(join(out, 'ada-21.md'), 'mine');
    writeFileSync(join(out, 'media/22-1.jpg'), 'mine');
    await save('21', '22');
    expect([read('ada-21.md'), read('media/22-1.jpg')]).toEqual(['mine', 'mine']);
    expect(read('ada-22.md')).toContain('![tide](media/22-1_2.jpg)');
  });

  test('is not followed out of it', async () => {
    const { save, out, folder } = await setup();
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    mkdirSync(out);
    symlinkSync(join(outside, 'note.md'), join(out, 'ada-21.md'));
    expect(await save('21')).toBe(0);
    symlinkSync(join(outside, 'a.jpg'), join(out, 'media', '22-1.jpg'));
    await save('22');
    expect(readdirSync(outside)).toEqual([]);
    const other = await setup();
    mkdirSync(other.out);
    symlinkSync(outside, join(other.out, 'media'));
    await expect(other.save('21')).rejects.toThrow('media is no folder');
    expect(readdirSync(outside)).toEqual([]);
  });
});

/** Parts of names that file systems refuse, or that lead elsewhere. */
const BAD = [
  ...String.raw`/ \ .. ../../x : CON nul.txt LPT1 . ~ -rf ÄÖ 🦅 %2e%2e " *? $(id) C: //host/share`.split(' '),
  ...['\0', ' ', '\u202e', '\ud800', '\n', 'a'.repeat(300)],
];

test('[save 3] 1,000 hostile names stay within the folder, on every file system', async () => {
  const random = seededRandom(7);
  const pick = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => BAD[Math.floor(random() * BAD.length)]).join('');
  const { save, out, folder } = await setup({
    answer: (id) => ({
      status: 200,
      body:
        random() < 0.5
          ? noteOf(random() < 0.5 ? pick() : id, `![${pick()}](${PICTURE})`, pick())
          : `---\nid: "${pick()}"\nhandle: "${pick()}"\n---\n`,
    }),
  });
  const file = join(folder, 'links');
  const lines = Array.from({ length: 1000 }, (_, index) => ({
    id: pick(),
    url: `https://x.com/${encodeURIComponent('ada')}/status/${index + 100}`,
  }));
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n${pick()}\n`);
  await save('--from', 'links', '--thread');
  const names = filesIn(out);
  expect(names.filter((name) => name.endsWith('.md'))).toHaveLength(1000);
  expect(names.filter((name) => !/^\w{1,30}-\d{3,4}\.md$|^media\/\d{3,4}-1\.jpg$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(readdirSync(folder).sort()).toEqual(['links', 'out']);
});

describe('[save 4] waits and failures', () => {
  test('a wait is as long as Retry-After, of the service and of the host of pictures', async () => {
    let calls = 0;
    const { save, waits } = await setup({
      answer: (id) => {
        calls += 1;
        return calls === 1
          ? problemAnswer(429, 'rate_limited', 37)
          : { status: 200, body: noteOf(id, `![a](${PICTURE})`) };
      },
      host: (_, response) => (waits.length < 2 ? void response.writeHead(503).end() : sendFile(response, 'image/jpeg')),
    });
    expect(await save('21')).toBe(0);
    expect(waits[0]).toBe(37);
    expect(waits).toHaveLength(2);
  });

  test('a post that does not exist is named, and the others are saved', async () => {
    const { save, out, errors } = await setup({
      answer: (id) => (id === '21' ? problemAnswer(404, 'post_not_found') : { status: 200, body: noteOf(id, 'text') }),
    });
    expect(await save('21', '22')).toBe(1);
    expect(filesIn(out)).toEqual(['ada-22.md']);
    expect(errors()).toBe(
      'https://x.com/i/status/21: The title of post_not_found\n1 saved, 0 there already, 1 failed\n',
    );
  });

  test('a service that fails ends the command', async () => {
    const { save, out, waits } = await setup({ answer: () => problemAnswer(503, 'upstream_unavailable') });
    await expect(save('21', '22')).rejects.toThrow('The title of upstream_unavailable');
    expect(filesIn(out)).toEqual([]);
    expect(waits).toEqual([2, 4, 8, 16]);
  });

  test('a picture that X does not have, or that is none, stays a link', async () => {
    const { save, out, read, errors } = await setup({
      host: ({ url }, response) =>
        url?.includes('.mp4') ? sendFile(response, 'image/svg+xml') : void response.writeHead(404).end(),
    });
    expect(await save('21')).toBe(0);
    expect(read('ada-21.md')).toBe(noteOf('21', `![tide](${PICTURE})\n\n[Video](${VIDEO})`));
    expect(filesIn(out)).toEqual(['ada-21.md']);
    expect(errors()).toContain(`${PICTURE}: `);
  });

  test('a file that is cut off is requested again', async () => {
    let calls = 0;
    const { save, read } = await setup({
      host: (_, response) => {
        calls += 1;
        if (calls > 2) return sendFile(response, 'image/jpeg');
        response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': 200 });
        response.write(FILES['image/jpeg'], () => response.destroy());
      },
    });
    expect(await save('21')).toBe(0);
    expect(read('ada-21.md')).toContain('media/21-1.jpg');
    expect(calls).toBeGreaterThan(2);
  });

  test('a line of the file that is no post is named', async () => {
    const { save, folder, errors } = await setup();
    writeFileSync(
      join(folder, 'list'),
      'https://x.com/ada/status/21\n\n{"id":"22","url":"https://x.com/ada/status/22"}\n{"next_cursor":"a"}\n@ada\n{"id":"23","url',
    );
    expect(await save('--from', 'list')).toBe(1);
    expect(errors()).toMatch(/^@ada is no post\./);
    expect(errors()).toContain('2 saved');
  });

  test('a signal during a download leaves no note, which would have no picture forever', async () => {
    const aborter = new AbortController();
    const { save, out } = await setup({ signal: aborter.signal, host: () => aborter.abort(130) });
    await expect(save('21')).rejects.toBe(130);
    expect(filesIn(out)).toEqual([]);
  });

  test('a signal ends the command between two posts', async () => {
    const aborter = new AbortController();
    const { save, out } = await setup({
      signal: aborter.signal,
      answer: (id) => {
        if (id === '22') aborter.abort(130);
        return { status: 200, body: noteOf(id, 'text') };
      },
    });
    await expect(save('21', '22', '23')).rejects.toBe(130);
    expect(filesIn(out)).toContain('ada-21.md');
    expect(filesIn(out)).not.toContain('ada-23.md');
  });
});

/** A program of the system, like unzip. */
const PANDOC = 'pandoc';

const hasPandoc = spawnSync(PANDOC, ['--version']).status === 0;

test.skipIf(!hasPandoc)('[save 1] pandoc finds every picture of a note', async () => {
  const folder = temporaryFolder();
  const posts = ['2032048958469046864', '2032441545323447049', '2034933213557687715'];
  await runProgram('infra/local/save.ts', [...posts, '--out', folder], { UPSTREAM: 'sample' });
  const notes = readdirSync(folder).filter((name) => name.endsWith('.md'));
  expect(notes.length).toBeGreaterThan(1);
  for (const note of notes) {
    const args = ['--from=markdown', '--to=docx', '--output=note.docx', '--fail-if-warnings', note];
    const { status, stderr } = spawnSync(PANDOC, args, { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr }, note).toEqual({ status: 0, stderr: '' });
    const pictures = readFileSync(join(folder, note), 'utf8').match(/!\[[^\]]*\]\(media\//g) ?? [];
    const files = spawnSync('unzip', ['-l', 'note.docx'], { cwd: folder, encoding: 'utf8' }).stdout;
    expect(files.match(/word\/media\/./g) ?? [], note).toHaveLength(pictures.length);
  }
});

test.each([
  [[]],
  [['21']],
  [['21', '--out', 'x', '--format', 'pdf']],
  [['--out', 'x']],
  [['21', '--out', 'x', '--new']],
])('%j is no call of the command', (args) => expect(parseSaveArguments(args)).toBeUndefined());

test('[save 1] runs without a service, also as the first argument of the local service', async () => {
  const variables = { UPSTREAM: 'sample' };
  for (const [program, ...args] of [
    ['infra/local/save.ts', '--format', 'epub', '--format', 'html'],
    ['infra/local/start.ts', 'save'],
  ]) {
    const folder = temporaryFolder();
    const { code, errors } = await runProgram(
      program ?? '',
      [...args, '2032048958469046864', '--out', folder],
      variables,
    );
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining('1 saved') });
    const note = readFileSync(join(folder, 'kestrel_labs-2032048958469046864.md'), 'utf8');
    for (const name of readdirSync(folder).filter((file) => /\.(?:epub|html)$/.test(file)))
      expect(readFileSync(join(folder, name), 'latin1'), name).toMatch(/^PK.{28}mimetype|^<!doctype html>/is);
    expect(readdirSync(folder)).toHaveLength(args.includes('epub') ? 4 : 2);
    const links = [...note.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(4);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
  }
  expect(await runProgram('infra/local/save.ts', ['--help'], variables)).toMatchObject({
    code: 0,
    output: expect.stringContaining('usage: npm run -s save'),
  });
  expect(await runProgram('infra/local/save.ts', ['21'], variables)).toMatchObject({ code: 1 });
});
