// Tests `npm run save` with a service in memory and a host in place of X's picture hosts.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSaveArguments } from '../../../client/commands/save/arguments.ts';
import { runSave } from '../../../client/commands/save/run-save.ts';
import { openSaveFolder } from '../../../client/commands/save/save-folder.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { parametersOf, problemAnswer, type ServiceAnswer, serviceOf } from '../../support/export-service.ts';
import { isFullForm } from '../../support/full-form.ts';
import { FILES, sendFile } from '../../support/picture-host.ts';
import { runProgram } from '../../support/programs.ts';
import { seededRandom } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestServer } from '../../support/test-server.ts';

/** The page of a post has its id in its path. */
const idOf = (target: string): string =>
  /(\d+)$/.exec(parametersOf(target).get('url') ?? target.replace(/\?.*/s, ''))?.[1] ?? '';

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
      openService: async () => ({
        ...serviceOf((target) => {
          targets.push(target);
          const id = idOf(target);
          return answer?.(id, target) ?? { status: 200, body: noteOf(id, `![tide](${PICTURE})\n\n[Video](${VIDEO})`) };
        }),
        origins: { pbs: origin, video: origin },
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

test('[save 1] makes the folder with its parents, and says so where the system lets nothing be created', async () => {
  const root = temporaryFolder();
  await openSaveFolder(join(root, 'a', 'b', 'c'));
  expect(existsSync(join(root, 'a', 'b', 'c', 'media'))).toBe(true);
  await expect(openSaveFolder('/proc/postern/a')).rejects.toThrow(/cannot be created/);
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
      host: (_, response) =>
        waits.length < 2 ? void response.writeHead(503, { 'Retry-After': 41 }).end() : sendFile(response, 'image/jpeg'),
    });
    expect(await save('21')).toBe(0);
    expect(waits).toEqual([37, 41]);
  });

  test('a post that does not exist is named, and the others are saved', async () => {
    const { save, out, errors } = await setup({
      answer: (id) => (id === '21' ? problemAnswer(404, 'post_not_found') : { status: 200, body: noteOf(id, 'text') }),
    });
    expect(await save('21', '22')).toBe(1);
    expect(filesIn(out)).toEqual(['ada-22.md']);
    const named = 'https://x.com/i/status/21: The title of post_not_found\n';
    expect(errors()).toBe(`${named}1 saved, 0 there already, 1 failed:\n${named}`);
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

  test('a file that X does not have is gone at X, with its URL', async () => {
    const { save, errors } = await setup({ host: (_, response) => void response.writeHead(404).end() });
    expect(await save('21')).toBe(0);
    expect(errors()).toContain(
      `https://x.com/i/status/21: ${PICTURE}: X does not have the file any more. The note links to it.\n`,
    );
    expect(errors()).not.toContain('route');
    expect(errors()).toContain('1 saved, 0 there already, 0 failed, 2 files missing:\n');
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

  test('[commands 10] a list of PowerShell with comments is saved, and one that is no text is refused before a post is read', async () => {
    const { save, folder, out, errors, targets } = await setup();
    writeFileSync(join(folder, 'list'), '\ufeff# my likes\r\nhttps://x.com/ada/status/21\r\n\r\n22\r\n', 'utf16le');
    expect(await save('--from', 'list')).toBe(0);
    expect(errors()).toBe('2 saved, 0 there already, 0 failed\n');
    writeFileSync(join(folder, 'list'), 'https://x.com/ada/status/23\r\n', 'utf16le');
    await expect(save('24', '--from', 'list')).rejects.toThrow(/^\S+list is no text in UTF-8, [^\n]+$/);
    expect(targets).toHaveLength(2);
    expect(filesIn(out)).not.toContain('ada-24.md');
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

// Failures of each kind, of each subject, at each place of a list.

const never = (): void => undefined;

/** Answers to the request of a post, again and again. */
const POST_FAILURES: Readonly<Record<string, () => ServiceAnswer>> = {
  'a 503': () => problemAnswer(503, 'upstream_unavailable'),
  'a 503 with Retry-After': () => problemAnswer(503, 'upstream_unavailable', 30),
  'a 503 with a Retry-After of a day': () => problemAnswer(503, 'upstream_unavailable', 86_400),
  'a 502': () => problemAnswer(502, 'upstream_failed'),
  'a 500 of another program': () => ({ status: 500, body: '<h1>Oops' }),
  'a 429 without an end': () => problemAnswer(429, 'rate_limited', 60),
  'no answer in time': () => {
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  },
  'no connection': () => {
    throw new TypeError('fetch failed');
  },
  'too much': () => {
    throw new CommandError('The answer has too many bytes.');
  },
  'a 404': () => problemAnswer(404, 'post_not_found'),
  'a 403': () => problemAnswer(403, 'post_protected'),
  'a 451': () => problemAnswer(451, 'withheld_by_operator'),
};

const IDS = ['31', '32', '33'];

interface Broken {
  readonly failure: string;
  readonly place: number;
}

const brokenAt = (failures: object): readonly Broken[] =>
  Object.keys(failures).flatMap((failure) => IDS.map((_, place) => ({ failure, place })));

const notesOf = (ids: readonly string[]): readonly string[] => ids.map((id) => `ada-${id}.md`);

describe('[save 5] a post that fails', () => {
  // The first request of a command ends it if there is no service.
  const cases = brokenAt(POST_FAILURES).filter(({ failure, place }) => failure !== 'no connection' || place > 0);

  test.each(cases)('with $failure at place $place of a list is named, and the others are saved', async (broken) => {
    const { failure, place } = broken;
    const bad = IDS[place] ?? '';
    let isBroken = true;
    const { save, out, errors, waits, targets } = await setup({
      answer: (id) => {
        if (isBroken && id === bad) return POST_FAILURES[failure]?.() ?? expect.unreachable();
        return { status: 200, body: noteOf(id, `![a](${PICTURE})`) };
      },
    });
    expect(await save(...IDS)).toBe(1);
    expect(filesIn(out).filter((name) => name.endsWith('.md'))).toEqual(notesOf(IDS.filter((id) => id !== bad)));
    expect(errors()).toMatch(new RegExp(`2 saved, 0 there already, 1 failed:\nhttps://x.com/i/status/${bad}: .+\n$`));
    expect(waits.length).toBeLessThanOrEqual(10);
    isBroken = false;
    targets.length = 0;
    expect(await save(...IDS)).toBe(0);
    expect(filesIn(out).filter((name) => name.endsWith('.md'))).toEqual(notesOf(IDS));
    expect(targets.map(idOf)).toEqual([bad]);
  });

  test.each(['epub', 'json', 'html'])('as %s only is named, and its note is saved', async (format) => {
    let isBroken = true;
    const { save, out, errors, targets } = await setup({
      answer: (id, target) => {
        const isForm = target.includes(`format=${format}`) || (format === 'html' && target.includes('download=1'));
        if (isForm && id === '32' && isBroken) return problemAnswer(502, 'upstream_failed');
        return { status: 200, body: target.includes('obsidian') ? noteOf(idOf(target), 'text') : 'form' };
      },
    });
    const all = [...IDS.slice(0, 2), '--format', format];
    expect(await save(...all)).toBe(1);
    expect(filesIn(out)).toEqual([`ada-31.${format}`, 'ada-31.md', 'ada-32.md'].sort());
    expect(errors()).toContain(`https://x.com/i/status/32 as ${format}: The title of upstream_failed\n`);
    isBroken = false;
    targets.length = 0;
    expect(await save(...all)).toBe(0);
    expect(filesIn(out)).toContain(`ada-32.${format}`);
    expect(targets.map(idOf)).toEqual(['32', '32']);
  });
});

/** Answers of the host of pictures, again and again. `lasts`: the note is saved with a link. */
const FILE_FAILURES: Readonly<Record<string, { readonly lasts?: true; readonly answer: RequestListener }>> = {
  'a 503': { answer: (_, response) => void response.writeHead(503).end() },
  'a 503 with Retry-After': { answer: (_, response) => void response.writeHead(503, { 'Retry-After': 50 }).end() },
  'a 429': { answer: (_, response) => void response.writeHead(429).end() },
  'a 500': { answer: (_, response) => void response.writeHead(500).end('<h1>Oops') },
  'half of a file': {
    answer: (_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': 200 });
      response.write(FILES['image/jpeg'], () => response.destroy());
    },
  },
  'a broken connection': { answer: ({ socket }) => void socket.resetAndDestroy() },
  ...(isFullForm && { silence: { answer: never } }),
  'a 404': { lasts: true, answer: (_, response) => void response.writeHead(404).end() },
  'a 403': { lasts: true, answer: (_, response) => void response.writeHead(403).end() },
  'a 410': { lasts: true, answer: (_, response) => void response.writeHead(410).end() },
  'a redirect': { lasts: true, answer: (_, response) => void response.writeHead(302, { Location: '/x' }).end() },
  'another type': { lasts: true, answer: (_, response) => sendFile(response, 'image/svg+xml') },
  'a type that is not its own': {
    lasts: true,
    answer: (_, response) => sendFile(response, 'image/png', Buffer.from('<!doctype html>')),
  },
  nothing: { lasts: true, answer: (_, response) => sendFile(response, 'image/jpeg', Buffer.alloc(0)) },
};

const pictureOf = (id: string): string => `https://pbs.twimg.com/media/p${id}.jpg?name=orig`;
const videoOf = (id: string): string => `https://video.twimg.com/tweet_video/v${id}.mp4`;

describe.each([
  ['picture', pictureOf],
  ['video', videoOf],
] as const)('[save 5] a %s that fails', (_, urlOf) => {
  test.each(brokenAt(FILE_FAILURES))(
    'with $failure at place $place is named, and the others are saved',
    async (broken) => {
      const { failure, place } = broken;
      const bad = IDS[place] ?? '';
      const { lasts, answer } = FILE_FAILURES[failure] ?? expect.unreachable();
      let isBroken = true;
      const { save, out, read, errors, targets, waits } = await setup({
        answer: (id) => ({ status: 200, body: noteOf(id, `![a](${pictureOf(id)})\n\n[Video](${videoOf(id)})`) }),
        host: (request, response) => {
          const type = request.url?.includes('.mp4') ? 'video/mp4' : 'image/jpeg';
          if (isBroken && urlOf(bad).includes(request.url?.split('?')[0] ?? '')) answer(request, response);
          else sendFile(response, type, FILES[type]);
        },
      });
      expect(await save(...IDS)).toBe(lasts ? 0 : 1);
      expect(filesIn(out).filter((name) => name.endsWith('.md'))).toEqual(
        notesOf(lasts ? IDS : IDS.filter((id) => id !== bad)),
      );
      expect(filesIn(join(out, 'media'))).toHaveLength(5);
      const name = `https://x.com/i/status/${bad}: ${urlOf(bad)}: `;
      expect(
        errors()
          .split('\n')
          .filter((line) => line.startsWith(name)),
      ).toHaveLength(2);
      if (lasts) return expect(read(`ada-${bad}.md`)).toContain(`](${urlOf(bad)})`);
      expect(waits.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(180);
      isBroken = false;
      targets.length = 0;
      expect(await save(...IDS)).toBe(0);
      expect(targets.map(idOf)).toEqual([bad]);
      expect(filesIn(out).filter((file) => file.startsWith('media/'))).toHaveLength(6);
      expect(read(`ada-${bad}.md`)).not.toContain('twimg.com');
    },
  );
});

describe('[save 5] the command', () => {
  const many = Array.from({ length: 40 }, (_, index) => String(100 + index));
  const list = (folder: string): void =>
    writeFileSync(join(folder, 'list'), `# my likes\n${many.map((id) => `https://x.com/ada/status/${id}\n`).join('')}`);

  test('ends after five different posts in a row that fail, and says where to go on', async () => {
    let isDown = true;
    const { save, folder, out, targets, errors } = await setup({
      answer: (id) =>
        isDown && Number(id) >= 103
          ? problemAnswer(503, 'upstream_unavailable', 30)
          : { status: 200, body: noteOf(id, 'text') },
    });
    list(folder);
    await expect(save('--from', 'list')).rejects.toThrow(
      /^5 posts or files in a row failed, so the others are not tried\.\nThe run ended at https:\/\/x\.com\/i\/status\/107 \(line 9 of list\)\. Run the same command again/,
    );
    expect(errors()).toContain('\n3 saved, 0 there already, 5 failed:\n');
    expect(new Set(targets.map(idOf))).toEqual(new Set(many.slice(0, 8)));
    isDown = false;
    targets.length = 0;
    expect(await save('--from', 'list')).toBe(0);
    expect(targets.map(idOf)).toEqual(many.slice(3));
    expect(filesIn(out)).toHaveLength(many.length);
  });

  test('ends after five different files in a row that fail, whatever the posts answer', async () => {
    const { save, folder } = await setup({
      answer: (id) => ({ status: 200, body: noteOf(id, `![a](${pictureOf(id)})`) }),
      host: (_, response) => void response.writeHead(503).end(),
    });
    list(folder);
    await expect(save('--from', 'list')).rejects.toThrow('5 posts or files in a row failed');
  });

  test.each([
    ['with many files that fail', (_id: string) => Array.from({ length: 9 }, (_, index) => pictureOf(`x${index}`))],
    ['with one file of many posts that fails', (id: string) => [pictureOf('x'), pictureOf(id)]],
  ])('does not end after a post %s', async (_, picturesOf) => {
    const bad = many.slice(0, 12);
    const { save, out, waits } = await setup({
      answer: (id) => ({
        status: 200,
        body: noteOf(id, (bad.includes(id) ? picturesOf(id) : [pictureOf(id)]).map((url) => `![a](${url})`).join('\n')),
      }),
      host: ({ url }, response) =>
        url?.includes('/px') ? void response.writeHead(503).end() : sendFile(response, 'image/jpeg'),
    });
    expect(await save(...many)).toBe(bad.length);
    expect(filesIn(out).filter((name) => name.endsWith('.md'))).toHaveLength(many.length - bad.length);
    // Each file is waited for once.
    expect(waits.length).toBeLessThanOrEqual(4);
  });

  test('does not end after many posts that X does not have', async () => {
    const { save } = await setup({
      answer: (id) => (id < '120' ? problemAnswer(404, 'post_not_found') : { status: 200, body: noteOf(id, 'text') }),
    });
    expect(await save(...many)).toBe(20);
  });

  test('ends at once when there is no service', async () => {
    const { save, targets, errors } = await setup({
      answer: () => {
        throw new TypeError('fetch failed');
      },
    });
    await expect(save('21', '22')).rejects.toThrow('The service does not answer (fetch failed).');
    expect([targets.length, errors()]).toEqual([1, '']);
  });

  test('names 100 failures in its summary, and counts the others', async () => {
    const { save, folder, errors } = await setup({ answer: () => problemAnswer(404, 'post_not_found') });
    writeFileSync(join(folder, 'list'), Array.from({ length: 120 }, (_, index) => `${1000 + index}\n`).join(''));
    await save('--from', 'list');
    expect(errors().split('120 failed:\n')[1]?.split('\n')).toHaveLength(102);
    expect(errors()).toMatch(/\nand 20 more, named above\n$/);
  });
});

/** A program of the system, like unzip. */
const PANDOC = 'pandoc';

const hasPandoc = spawnSync(PANDOC, ['--version']).status === 0;

test.skipIf(!hasPandoc)('[save 1] pandoc finds every picture of a note', async () => {
  const folder = temporaryFolder();
  const posts = ['2032048958469046864', '2032441545323447049', '2034933213557687715'];
  await runProgram('client/commands/save.ts', [...posts, '--out', folder], { UPSTREAM: 'sample' });
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

test('[save 1] runs without a service, also as a command of the package', async () => {
  const variables = { UPSTREAM: 'sample' };
  for (const [program, ...args] of [
    ['client/commands/save.ts', '--format', 'epub', '--format', 'html'],
    ['infra/package/postern.ts', 'save'],
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
  expect(await runProgram('client/commands/save.ts', ['--help'], variables)).toMatchObject({
    code: 0,
    output: expect.stringContaining('usage: npm run -s save'),
  });
  expect(await runProgram('client/commands/save.ts', ['21'], variables)).toMatchObject({ code: 1 });
});
