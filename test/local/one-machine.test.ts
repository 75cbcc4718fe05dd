// Judges the files and commands of docs/operators/one-machine.md: by the service and, where they are installed, by systemd,
// nginx and Caddy, which also run in front of the service.
import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { parseWithheldText } from '../../shared/model/withheld.ts';
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';
import { freePort } from '../support/free-port.ts';
import { startTestService } from '../support/local-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = readFileSync(new URL('../../docs/operators/one-machine.md', import.meta.url), 'utf8');
const blocks = new MarkdownIt().parse(page, {}).filter(({ type }) => type === 'fence');

/** @param start the first line of the block */
const blockOf = (start: string): string => {
  const found = blocks.filter(({ content }) => content.startsWith(start));
  expect(found, start).toHaveLength(1);
  return found[0]?.content ?? '';
};

const unit = blockOf('# /etc/systemd/system/postern.service');
const nginxFile = blockOf('# /etc/nginx/conf.d/postern.conf');
const caddyFile = blockOf('# /etc/caddy/Caddyfile');

const assignmentsIn = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/(?:^|\s)([A-Z][A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);

test('[commands 9] the page names only variables of the service', () => {
  const settings = assignmentsIn(blockOf('# /etc/postern/postern.env'));
  const ofUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text = '']) => assignmentsIn(text));
  const names = [...settings, ...ofUnit].map(([name]) => name).filter((name) => name !== 'NODE_ENV');
  expect(names.filter((name) => !Object.hasOwn(variableDescriptions, name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['DATA_DIR', 'TRUSTED_PROXIES', 'WITHHELD_FILE', 'ADMIN_TOKEN']));
});

test('[commands 9] the withheld list of the page is valid', () => {
  expect(parseWithheldText(blockOf('[\n'))).toHaveLength(2);
});

/** They belong to the system, and are there on a server with systemd. */
const PROGRAMS = [
  'cd',
  'cp',
  'curl',
  'echo',
  'git',
  'grep',
  'install',
  'journalctl',
  'mkdir',
  'mv',
  'node',
  'systemctl',
  'tar',
];

test('[commands 9] each command of the page is a program of the system or a script of the project', () => {
  const commands = blocks
    .filter(({ info }) => info === 'sh')
    .flatMap(({ content }) => content.trim().split(/\n| && | \| /));
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    const [program = '', ...args] = command.split(' ');
    if (program !== 'npm') expect(PROGRAMS, command).toContain(program);
    else if (args[0] !== 'ci')
      expect(Object.keys(manifest.scripts), command).toContain(args.filter((arg) => arg !== '-s')[1]);
  }
});

test('[commands 9] the token of the page is one that the start accepts', () => {
  const [, script = ''] = /^node -p "(.*)"$/m.exec(blockOf('node -p')) ?? [];
  const { stdout } = spawnSync(process.execPath, ['-p', script], { encoding: 'utf8' });
  expect(stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
});

/** @param more input and environment */
const run = (program: string, args: readonly string[], more: SpawnSyncOptions = {}) =>
  spawnSync(program, args, { ...more, encoding: 'utf8' });

/** A program that the machine lacks is skipped with a line. */
const has = (program: string, ...args: readonly string[]): boolean => {
  const isThere = run(program, args).error === undefined;
  if (!isThere) console.log(`skipped: the page One machine by ${program}, which is not installed`);
  return isThere;
};

test.skipIf(!has('systemd-analyze', '--version'))('[commands 9] systemd accepts the unit of the page', () => {
  const file = join(temporaryFolder(), 'postern.service');
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const program = /^ExecStart=\/opt\/postern\/node_modules\/\.bin\/node (infra\/local\/start\.ts)$/m;
  const [, start = ''] = program.exec(unit) ?? [];
  expect(readFileSync(join(root, start), 'utf8')).toContain('`npm start`');
  writeFileSync(file, unit.replace(program, `ExecStart=${process.execPath} $1`).replaceAll('/opt/postern', root));
  const { status, stderr, stdout } = run('systemd-analyze', ['verify', file]);
  expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const ask = async (port: number, path: string, headers: Record<string, string>, body = ''): Promise<Answer> => {
  const options = { host: '127.0.0.1', port, path, headers: { host: 'posts.example.org', ...headers } };
  const method = body === '' ? 'GET' : 'POST';
  const sent = request({
    ...options,
    method,
    servername: 'posts.example.org',
    rejectUnauthorized: false,
    agent: false,
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, body: text };
};

const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** The proxy ends with the test. */
const startProxy = async (program: string, args: readonly string[], port: number, home: string): Promise<void> => {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  while ((await ask(port, '/api', {}).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${errors}`);
    await setTimeout(50);
  }
};

const expectService = async (port: number): Promise<void> => {
  const post = await ask(port, '/jack/status/20', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' });
  expect(post.status).toBe(200);
  expect(post.headers['strict-transport-security']).toMatch(/^max-age=/);
  expect(post.body).toContain('https://posts.example.org/jack/status/20/replies');
  expect(await ask(port, '/mcp', MCP, PING)).toMatchObject({ status: 200, body: expect.stringContaining('"result"') });
  for (const path of ['/admin', '/admin/app.js', '/api/admin/keys'])
    expect((await ask(port, path, { accept: 'text/html' })).status, path).toBe(403);
  expect((await ask(port, '/administrator', { accept: 'application/json' })).status).toBe(404);
};

const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };

test.skipIf(!has('nginx', '-v') || !has('openssl', 'version'))(
  '[commands 9] the service answers through nginx with the file of the page, but not the dashboard',
  async () => {
    const service = await startTestService(PROXIED);
    const [folder, port, plain] = [temporaryFolder(), await freePort(), await freePort()];
    chmodSync(folder, 0o755);
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const self = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=test',
    ];
    expect(run('openssl', [...self, '-keyout', key, '-out', certificate]).status).toBe(0);
    const site = nginxFile
      .replace('127.0.0.1:3000', new URL(service.origin).host)
      .replaceAll(/^ +listen \[::\].*\n/gm, '')
      .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace(/\/\S+fullchain\.pem/, certificate)
      .replace(/\/\S+privkey\.pem/, key);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `pid ${folder}/pid; error_log stderr; events {} http { ${temporary}\n${site}\n}`);
    const check = run('nginx', ['-t', '-c', file]);
    expect(check.stderr).toContain('test is successful');
    await startProxy('nginx', ['-c', file, '-g', 'daemon off;'], port, folder);
    await expectService(port);
  },
);

test.skipIf(!has('caddy', 'version'))(
  '[commands 9] the service answers through Caddy with the file of the page, but not the dashboard',
  async () => {
    const service = await startTestService(PROXIED);
    const [folder, port] = [temporaryFolder(), await freePort()];
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, caddyFile);
    const adapted = run('caddy', ['adapt', '--adapter', 'caddyfile', '--config', file]);
    expect({ status: adapted.status, said: adapted.stderr }).toMatchObject({ status: 0 });
    const site = caddyFile
      .replace('127.0.0.1:3000', new URL(service.origin).host)
      .replace(/^posts\.example\.org \{/m, `https://posts.example.org:${port} {\n\ttls internal\n\tbind 127.0.0.1`);
    writeFileSync(file, `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${site}`);
    const check = run('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], {
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    expect(`${check.stdout}${check.stderr}`).toContain('Valid configuration');
    await startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port, folder);
    await expectService(port);
  },
);
