// Runs the npm package from the folder that `npm pack` packs. `.ci/package` packs it and runs it by npx and other Nodes.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemble } from '../../infra/container/assemble.ts';
import rootManifest from '../../package.json' with { type: 'json' };
import type { Variables } from '../support/program-environment.ts';
import { firstLines, runProgram, startProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-package-'));
const tree = join(folder, 'package');
const bin = join(tree, 'bin/postern.cjs');

beforeAll(() => assemble(tree));

afterAll(() => rmSync(folder, { recursive: true }));

const POST = 'https://x.com/jack/status/20';
const SAMPLE = { UPSTREAM: 'sample', DATA_DIR: 'memory' };

const run = (args: readonly string[], variables: Variables = SAMPLE) => runProgram(bin, args, variables);

const COMMANDS = ['read', 'start', 'save', 'export', 'keys', 'mcp', 'doctor', 'verify'];

describe('the package', () => {
  test('[running 2] needs no other package, runs no script at its installation, and has less than 20 MB', () => {
    const { version, engines, ...manifest } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'postern', bin: { postern: 'bin/postern.cjs' }, os: ['linux', 'darwin'] });
    expect(version).toBe(rootManifest.version);
    expect(engines.node).toMatch(/^>=22\.[0-9]+$/);
    expect(manifest).not.toHaveProperty('scripts');
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    const files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.filter(({ parentPath }) => parentPath.includes('node_modules'))).toEqual([]);
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThan(20_000_000);
  });

  test('[running 2] has the engine of the store for Linux with glibc and musl and for macOS', () => {
    const builds = readdirSync(join(tree, 'prebuilds'), { recursive: true }).map(String);
    expect(builds).toEqual(
      expect.arrayContaining([
        'linux-x64/classic-level.node',
        'linux-x64/classic-level.musl.node',
        'linux-arm64/classic-level.armv8.node',
        'darwin-x64+arm64/classic-level.node',
      ]),
    );
    expect(builds.filter((name) => /^(?:win32|android)/.test(name))).toEqual([]);
  });

  test('[running 2] names the folder of this repository in no program', () => {
    const programs = readdirSync(join(tree, 'infra/local')).filter((name) => name.endsWith('.mjs'));
    const withFolder = programs.filter((name) =>
      readFileSync(join(tree, 'infra/local', name), 'utf8').includes(process.cwd()),
    );
    expect(withFolder).toEqual([]);
  });
});

describe('postern', () => {
  test('[running 2] postern --help lists every command, and --version prints the version', async () => {
    const { output, code } = await run(['--help']);
    expect(code).toBe(0);
    expect(output.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim())).toEqual(COMMANDS);
    expect((await run([])).output).toBe(output);
    expect(await run(['--version'])).toEqual({ output: `${rootManifest.version}\n`, errors: '', code: 0 });
  });

  test.each(COMMANDS)('[running 2] postern %s --help prints its usage without npm', async (name) => {
    const { output, errors, code } = await run([name, '--help']);
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    expect(output).toMatch(new RegExp(`^usage: .*\\bpostern ${name}\\b`));
    expect(output).not.toMatch(/\bnpm\b/);
  });

  test('[running 2] postern names an unknown command and the commands', async () => {
    const { errors, code } = await run(['raed', POST]);
    expect(errors).toMatch(/^postern has no command raed\.\nusage: postern COMMAND/);
    expect(code).toBe(1);
  });

  test('[running 2] postern read prints a post', async () => {
    const { output, errors, code } = await run(['read', POST]);
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    expect(output).toContain('just setting up my twttr');
  });

  test('[running 2] postern keeps its data in the data folder of the user', async () => {
    const home = temporaryFolder();
    const read = (variables: Variables) => run(['read', POST], { UPSTREAM: 'sample', HOME: home, ...variables });
    await read({});
    expect(readdirSync(join(home, '.local/share/postern'))).toEqual(['cursor-secret']);
    await read({ XDG_DATA_HOME: join(home, 'data') });
    expect(readdirSync(join(home, 'data/postern'))).toEqual(['cursor-secret']);
    await read({ XDG_DATA_HOME: 'relative' });
    expect(existsSync('relative')).toBe(false);
  });

  test('[running 2] postern reads, and says that it keeps nothing, when the home of the user cannot be written', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { output, errors, code } = await run(['read', POST], { UPSTREAM: 'sample', HOME: file });
    expect(errors).toBe(
      `postern: ${file}/.local/share/postern cannot be written, so nothing is kept. Set DATA_DIR to a folder.\n`,
    );
    expect([code, output]).toEqual([0, expect.stringContaining('just setting up my twttr')]);
  });

  test('[running 2] postern save writes into the current folder, also below an npm script of another folder', async () => {
    const [current, other] = [temporaryFolder(), temporaryFolder()];
    const script = `process.chdir(${JSON.stringify(current)}); process.argv[1] = ${JSON.stringify(bin)}; require(process.argv[1]);`;
    const starter = join(other, 'start.cjs');
    writeFileSync(starter, script);
    const { code } = await runProgram(starter, ['save', POST, '--out', 'notes'], { ...SAMPLE, INIT_CWD: other });
    expect(code).toBe(0);
    expect(readdirSync(join(current, 'notes'))).toContain('jack-20.md');
  });

  test('[running 2] postern start keeps keys in memory, and says so, when the store has no build for the system', async () => {
    const without = join(temporaryFolder(), 'package');
    cpSync(tree, without, { recursive: true, filter: (file) => !file.endsWith('prebuilds') });
    const variables = { UPSTREAM: 'sample', DATA_DIR: temporaryFolder(), PORT: '0' };
    const child = startProgram(join(without, 'bin/postern.cjs'), ['start'], variables);
    const errors = text(child.stderr);
    const [first = ''] = await firstLines(child.stdout, 1);
    const answer = await fetch(`${first.replace('postern listening on ', '')}/jack/status/20`);
    expect(await answer.text()).toContain('just setting up my twttr');
    child.kill('SIGTERM');
    expect(await errors).toContain(
      `postern: The store has no build for ${process.platform} on ${process.arch}, so this service keeps its keys in memory.\n`,
    );
  });

  test('[running 2] postern verify --edge says that it needs the sources', async () => {
    const { errors, code } = await run(['verify', '--edge', 'name']);
    expect([errors, code]).toEqual([expect.stringMatching(/clone/), 1]);
  });
});

describe('a Node that is too old', () => {
  const source = readFileSync(new URL('../../infra/package/postern.cjs', import.meta.url), 'utf8');

  test('[running 2] can parse the first file of the package', async () => {
    const options = { minify: true, format: 'cjs', supported: { 'dynamic-import': true } } as const;
    const [old, present] = await Promise.all(
      ['node12', 'esnext'].map((target) => transform(source, { ...options, target })),
    );
    expect(old?.code).toBe(present?.code);
  });

  test.each(['12.22.12', '20.20.2', '22.2.0'])(
    '[running 2] Node %s gets one sentence with the version that is needed, and exit code 1, from every command',
    async (version) => {
      const pretend = join(temporaryFolder(), 'pretend.cjs');
      writeFileSync(
        pretend,
        `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require(${JSON.stringify(bin)});`,
      );
      for (const name of [...COMMANDS, '--version']) {
        const { output, errors, code } = await runProgram(pretend, [name], SAMPLE);
        expect({ output, errors, code }).toEqual({
          output: '',
          errors: `postern needs Node 22.3 or newer, and this is Node ${version}.\n`,
          code: 1,
        });
      }
    },
  );
});
