// Compares the installed packages with the reviewed packages. Tests that an unreviewed package never fails the build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { awsSdkStubs } from '../../infra/build/aws-sdk-stubs-plugin.ts';
import { mcpSdkStubs } from '../../infra/build/mcp-sdk-stubs-plugin.ts';
import {
  createStubsPlugin,
  reviewFindings,
  reviewInstructions,
  type StubbedDependency,
} from '../../infra/build/stubs-plugin.ts';
import { undiciStubs } from '../../infra/build/undici-stubs-plugin.ts';

const dependencies = [undiciStubs, awsSdkStubs, mcpSdkStubs];

test.each(dependencies)('the stubs of $name are reviewed for the installed version', (dependency) => {
  expect(reviewFindings(dependency), reviewInstructions(dependency)).toEqual([]);
});

test.each(dependencies)(
  'the instructions for $name say what to review and where to write the version',
  (dependency) => {
    const text = reviewInstructions(dependency);
    const { declaredIn, testedIn, reviewedVersions, stubs, aliases } = dependency;
    for (const [name, version] of Object.entries(reviewedVersions)) expect(text).toContain(`${name}@${version}`);
    for (const [key, { reason }] of Object.entries({ ...stubs, ...aliases }))
      expect(text).toContain(`${key}: ${reason}`);
    expect(text).toContain(declaredIn);
    expect(text).toContain(testedIn);
  },
);

const directory = mkdtempSync(join(tmpdir(), 'stubs-plugin-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Writes a project that imports the packages `lib` and `helper`. `lib` needs `part` 2.0.0. @returns its entry file */
const writeProject = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
  const project = mkdtempSync(join(directory, 'project-'));
  const files: Readonly<Record<string, string | undefined>> = {
    'entry.js':
      "import lib from 'lib';\nimport helper from 'helper';\nimport * as os from 'node:os';\nexport default [lib, helper, os.EOL];",
    'node_modules/helper/package.json': '{"name":"helper","version":"1.0.0"}',
    'node_modules/helper/index.js': "export default 'original helper';",
    'node_modules/lib/package.json': '{"name":"lib","version":"1.0.0"}',
    'node_modules/lib/index.js':
      "import part from 'part/file.js';\nimport own from './own.js';\nexport default [part, own];",
    'node_modules/lib/own.js': "import * as os from 'node:os';\nexport default ['original own', os.arch];",
    'node_modules/part/package.json': '{"name":"part","version":"2.0.0"}',
    'node_modules/part/file.js': "export default 'original part';",
    ...changes,
  };
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  writeFileSync(join(project, 'helper-stub.js'), "export default 'stub helper';");
  return join(project, 'entry.js');
};

const dependencyOf = (entry: string, changes: Partial<StubbedDependency> = {}): StubbedDependency => ({
  name: 'lib',
  declaredIn: 'lib-stubs.ts',
  testedIn: 'lib.test.ts',
  reviewedVersions: { lib: '1.0.0', part: '2.0.0' },
  stubs: {
    'part/file.js': {
      reason: 'not needed',
      text: (folder) => `export default ${JSON.stringify(`stub in ${folder}`)};`,
    },
    'node:os': { reason: 'not needed', text: () => "export const arch = 'stub arch'; export const EOL = 'stub EOL';" },
  },
  aliases: { helper: { reason: 'not needed', file: join(dirname(entry), 'helper-stub.js') } },
  ...changes,
});

const buildEntry = async (entry: string, dependency: StubbedDependency) => {
  const { outputFiles, warnings } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [createStubsPlugin(dependency, entry)],
  });
  return { code: outputFiles[0]?.text ?? '', warnings: warnings.map(({ text }) => text) };
};

describe('createStubsPlugin with reviewed versions', () => {
  test('the bundle has the stubs and the aliases', async () => {
    const entry = writeProject();
    const { code, warnings } = await buildEntry(entry, dependencyOf(entry));
    expect(warnings).toEqual([]);
    expect(code).toContain(`stub in ${join(dirname(entry), 'node_modules/part')}`);
    expect(code).toContain('stub helper');
    expect(code).toContain('original own');
    expect(code).not.toMatch(/original (?:part|helper)/);
  });

  test('a built-in is a stub for the packages and the original for other files', async () => {
    const entry = writeProject();
    const { code } = await buildEntry(entry, dependencyOf(entry));
    expect(code).toContain('stub arch');
    expect(code).not.toContain('stub EOL');
    expect(code.match(/from "(?:node:)?os"/g)).toHaveLength(1);
  });

  test('the stub of a package replaces what an import of the package gets, and can import its files', async () => {
    const entry = writeProject();
    const text = (): string => "export { default } from './own.js';";
    const dependency = dependencyOf(entry, { stubs: { lib: { reason: 'not needed', text } } });
    const { code } = await buildEntry(entry, dependency);
    expect(code).toContain('original own');
    expect(code).not.toContain('original part');
  });

  test('the plugin does not build the text of a stub that no import reaches', async () => {
    const entry = writeProject({ 'node_modules/lib/unused.js': '' });
    const text = (): string => {
      throw new Error('built');
    };
    const dependency = dependencyOf(entry, { stubs: { 'lib/unused.js': { reason: 'not needed', text } } });
    expect((await buildEntry(entry, dependency)).warnings).toEqual([]);
  });
});

describe('createStubsPlugin without a review', () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, readonly string[]]>([
    [
      'the first package has another version',
      { 'node_modules/lib/package.json': '{"name":"lib","version":"1.0.1"}' },
      ['lib is 1.0.1, but its stubs were reviewed for 1.0.0'],
    ],
    [
      'another package has another version',
      { 'node_modules/part/package.json': '{"name":"part","version":"3.0.0"}' },
      ['part is 3.0.0, but its stubs were reviewed for 2.0.0'],
    ],
    [
      'a stubbed file has moved',
      {
        'node_modules/part/file.js': undefined,
        'node_modules/part/moved.js': "export default 'original part';",
        'node_modules/lib/index.js':
          "import part from 'part/moved.js';\nimport own from './own.js';\nexport default [part, own];",
      },
      ['part/file.js has a stub, but does not exist'],
    ],
    [
      'a reviewed package is not installed any more',
      {
        'node_modules/part/package.json': undefined,
        'node_modules/part/file.js': undefined,
        'node_modules/lib/index.js': "import own from './own.js';\nexport default ['original part', own];",
      },
      ['part is not installed, but its stubs were reviewed for 2.0.0'],
    ],
  ])('the build passes, warns and uses the original files when %s', async (_, changes, findings) => {
    const entry = writeProject(changes);
    const dependency = dependencyOf(entry);
    expect(reviewFindings(dependency, entry)).toEqual(findings);
    const { code, warnings } = await buildEntry(entry, dependency);
    expect(warnings).toEqual(findings.map((text) => `${text}: bundled without stubs`));
    expect(code).toContain('original part');
    expect(code).toContain('original own');
    expect(code).toContain('original helper');
    expect(code).not.toMatch(/stub (?:in|arch|helper)/);
  });

  test('reviewFindings reports a package that has stubs and no reviewed version', () => {
    const entry = writeProject();
    const dependency = dependencyOf(entry, { reviewedVersions: { lib: '1.0.0' } });
    expect(reviewFindings(dependency, entry)).toEqual(['part/file.js has a stub, but no reviewed version']);
  });
});
