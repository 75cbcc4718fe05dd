// Judges the compose file of the container, by its YAML and, where it is installed, by Docker Compose.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asRecord } from '../../shared/model/json.ts';
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';

const file = fileURLToPath(new URL('../../infra/container/compose.yaml', import.meta.url));
const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

const services = asRecord(asRecord(parse(read('infra/container/compose.yaml')))?.['services']) ?? {};
const postern = asRecord(services['postern']) ?? {};
const environment = Object.entries(asRecord(postern['environment']) ?? {});

test('[commands 8] the compose file names only variables that the service knows, and passes each on by its own name', () => {
  const names = environment.map(([name]) => name);
  expect(names.filter((name) => !Object.hasOwn(variableDescriptions, name))).toEqual([]);
  const passed = environment.filter(([, value]) => String(value).startsWith('$'));
  expect(passed.length).toBeGreaterThan(5);
  // Compose reads .env for these values, too. Another default than that of the service would win over it.
  for (const [name, value] of passed) expect(value).toMatch(new RegExp(`^\\$\\{${name}:-[a-z0-9.]*\\}$`));
});

test('[commands 8] the container listens on the port that is published, whatever PORT of the machine is', () => {
  const [, port] = environment.find(([name]) => name === 'PORT') ?? [];
  expect(postern['ports']).toEqual([`127.0.0.1:\${PORT:-3000}:${port}`]);
});

test('[commands 8] the container gets an optional file of variables, a folder for lists and at most 512 MB', () => {
  expect(postern).toMatchObject({
    env_file: [{ path: '.env', required: false }],
    mem_limit: '512m',
    volumes: expect.arrayContaining(['data:/data', `\${LISTS:-./lists}:/lists:ro`]),
  });
  for (const name of ['.gitignore', 'infra/container/Containerfile.dockerignore'])
    expect(read(name), 'secrets stay out of the repository and of the image').toMatch(/^\/?infra\/container\/\.env$/m);
});

test('[commands 8] the log of each container has a largest size', () => {
  for (const service of Object.values(services))
    expect(asRecord(service)?.['logging']).toEqual({
      driver: 'json-file',
      options: { 'max-size': '10m', 'max-file': '5' },
    });
});

const compose = (...args: readonly string[]) =>
  spawnSync('docker', ['compose', ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
const hasCompose = compose('version').status === 0;
if (!hasCompose) console.log('skipped: the compose file by Docker Compose, which is not installed');

test.skipIf(!hasCompose).each([[], ['tls'], ['fxembed']])(
  '[commands 8] Docker Compose accepts the file with profile %j',
  (...profiles) => {
    const args = profiles.flatMap((profile) => ['--profile', profile]);
    const { status, stderr } = compose('-f', file, ...args, 'config', '--quiet');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);
