// Runs .ci/tag-release in scratch repositories, and compares the workflows with the scripts that they call.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { releaseOf } from '../../shared/publish/document.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const script = join(root, '.ci/tag-release');
const ZEROS = '0'.repeat(40);

/** Only the identity and no settings of the machine, such as signed tags. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

const run = (directory: string, command: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: directory, encoding: 'utf8', env: environment });
  return { status, stdout, stderr };
};

const changelogOf = (versions: readonly string[], unreleased = ''): string =>
  `# Changelog\n\n## [Unreleased]\n\n${unreleased}${versions.map((version) => `## ${version} - 2026-12-01\n\n### Added\n\n- The change of ${version}.\n`).join('\n')}`;

/** A clone with a bare origin. */
const createRepository = () => {
  const [origin, directory] = [temporaryFolder(), temporaryFolder()];
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = run(directory, 'git', ...args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  run(origin, 'git', 'init', '--quiet', '--bare');
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', origin);

  return {
    directory,
    git,
    /** @returns the commit */
    commit(version: string, released: readonly string[] = [version], unreleased = ''): string {
      writeFileSync(join(directory, 'package.json'), `${JSON.stringify({ name: 'scratch', version })}\n`);
      writeFileSync(join(directory, 'CHANGELOG.md'), changelogOf(released, unreleased));
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', `commit with ${version}`);
      return git('rev-parse', 'HEAD');
    },
    tagRelease: (...args: readonly string[]) => run(directory, script, ...args),
    /** Tags of the origin, with the commits that they name. */
    publishedTags(): Readonly<Record<string, string>> {
      const format = '--format=%(refname:short) %(*objectname)';
      const lines = run(origin, 'git', 'for-each-ref', format, 'refs/tags').stdout.trim().split('\n');
      return Object.fromEntries(lines.filter((line) => line !== '').map((line) => line.split(' ')));
    },
  };
};

describe('.ci/tag-release', () => {
  test('[releases 2] tags and pushes HEAD if the version has changed', () => {
    const { commit, tagRelease, publishedTags } = createRepository();
    const before = commit('0.6.0');
    // The version rises before the last commit of the push.
    commit('0.7.0');
    const head = commit('0.7.0', ['0.7.0', '0.6.0']);
    expect(tagRelease('changed', before)).toMatchObject({ status: 0, stdout: 'changed=true\n' });
    expect(tagRelease('tag', before)).toEqual({ status: 0, stdout: 'tag=v0.7.0\n', stderr: '' });
    expect(publishedTags()).toEqual({ 'v0.7.0': head });
  });

  test('makes no tag if the version has not changed', () => {
    const { commit, tagRelease, publishedTags } = createRepository();
    const before = commit('0.6.0');
    commit('0.6.0');
    expect(tagRelease('changed', before)).toMatchObject({ status: 0, stdout: 'changed=false\n' });
    expect(tagRelease('tag', before)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(publishedTags()).toEqual({});
  });

  test('fails and changes nothing if the tag names another commit', () => {
    const { commit, tagRelease, publishedTags, git } = createRepository();
    const tagged = commit('0.7.0');
    git('tag', '--annotate', '--message', 'v0.7.0', 'v0.7.0');
    git('push', '--quiet', 'origin', 'v0.7.0');
    const before = commit('0.6.0');
    commit('0.7.0');
    const message = expect.stringContaining('the tag v0.7.0 names another commit');
    expect(tagRelease('tag', before)).toEqual({ status: 1, stdout: '', stderr: message });
    expect(publishedTags()).toEqual({ 'v0.7.0': tagged });
  });

  test('prints the tag of HEAD again in a second run', () => {
    const { commit, tagRelease, publishedTags } = createRepository();
    const before = commit('0.6.0');
    const head = commit('0.7.0');
    const first = tagRelease('tag', before);
    expect(tagRelease('tag', before)).toEqual(first);
    expect(publishedTags()).toEqual({ 'v0.7.0': head });
  });

  test.each([
    ['only zeros', ZEROS],
    ['a commit that is not in the clone', 'f'.repeat(40)],
    ['nothing', ''],
  ])('compares with the parent of HEAD if the commit before is %s', (_, before) => {
    const { commit, tagRelease } = createRepository();
    commit('0.6.0');
    commit('0.6.0');
    expect(tagRelease('tag', before).stdout).toBe('');
    commit('0.7.0');
    expect(tagRelease('tag', before).stdout).toBe('tag=v0.7.0\n');
  });

  test.each([
    ['the changelog has no section for the version', '0.7.0', ['0.6.0'], '', /no dated section for 0\.7\.0/],
    ['the version is not X.Y.Z', '0.7.0-rc.1', ['0.7.0-rc.1'], '', /not X\.Y\.Z/],
    [
      'a change is unreleased',
      '0.7.0',
      ['0.7.0'],
      '### Fixed\n\n- A fault.\n\n',
      /under Unreleased: move them to 0\.7\.0/,
    ],
  ])('fails without a tag if %s', (_, version, released, unreleased, message) => {
    const { commit, tagRelease, publishedTags } = createRepository();
    const before = commit('0.6.0');
    commit(version, released, unreleased);
    expect(tagRelease('tag', before)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(message) });
    expect(publishedTags()).toEqual({});
  });

  test('[releases 2] finds the same section as the published documents', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const { version, date } = releaseOf(packageJson.version, changelog);
    const { stdout } = run(root, script, 'notes', `v${version}`);
    expect(stdout).toMatch(/^\n### /);
    expect(changelog).toContain(`## ${version} - ${date}\n${stdout}`);
    expect(stdout).not.toMatch(/^## /m);
  });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const readYaml = (path: string) => parse(readFileSync(join(root, path), 'utf8'));
const files = readdirSync(join(root, '.github/workflows'));
const workflows: Readonly<Record<string, Workflow>> = Object.fromEntries(
  files.map((file) => [file, readYaml(join('.github/workflows', file))]),
);
const jobsOf = (file: string): readonly Job[] => Object.values(workflows[file]?.jobs ?? {});
const commandsOf = (file: string): readonly string[] =>
  jobsOf(file).flatMap(({ steps = [] }) => steps.flatMap(({ run: command }) => command ?? []));

test('announce adds a paragraph to the notes of the release once', () => {
  const folder = temporaryFolder();
  const notes = join(folder, 'notes');
  writeFileSync(notes, '- The change of 1.0.0.');
  // It reads and writes the notes as the command of GitHub does.
  const gh = `#!/bin/sh\n[ "$2" = view ] && cat ${notes} && exit\ncat >${notes}.new && mv ${notes}.new ${notes}\n`;
  writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
  const announce = () =>
    run(folder, 'env', `PATH=${folder}:${process.env['PATH']}`, script, 'announce', 'v1.0.0', 'Run it: `postern`');
  for (const { status } of [announce(), announce()]) expect(status).toBe(0);
  expect(readFileSync(notes, 'utf8')).toBe('- The change of 1.0.0.\n\nRun it: `postern`\n');
});

describe('the workflows', () => {
  test('are the checks and the release', () => {
    expect(files.toSorted()).toEqual(['ci.yml', 'release.yml']);
  });

  test('run the scripts of .ci, which exist and are executable', () => {
    const { checks } = readYaml('.github/workflows/ci.yml').jobs;
    const [, parts = ''] = /set -- (.*)/.exec(readFileSync(join(root, '.ci/run'), 'utf8')) ?? [];
    expect(commandsOf('ci.yml')).toEqual([`.ci/run \${{ matrix.part }}`]);
    expect(checks.strategy.matrix.part).toEqual(parts.split(' '));
    expect(jobsOf('release.yml').flatMap(({ uses }) => uses ?? [])).toEqual(['./.github/workflows/ci.yml']);
    const scripts = files.flatMap(commandsOf).flatMap((command) => command.match(/\.ci\/[\w-]+/g) ?? []);
    expect(new Set(scripts)).toEqual(new Set(['.ci/run', '.ci/tag-release']));
    for (const path of scripts) accessSync(join(root, path), constants.X_OK);
  });

  test('may read by default, and only the release may write', () => {
    for (const file of files) expect(workflows[file]?.permissions, file).toEqual({ contents: 'read' });
    const writers = files.flatMap(jobsOf).filter(({ permissions }) => JSON.stringify(permissions)?.includes('write'));
    expect(writers.map(({ permissions }) => permissions)).toEqual([
      { contents: 'write' },
      { contents: 'write', 'id-token': 'write' },
      { contents: 'write', packages: 'write' },
    ]);
  });

  // A tag of an action can be moved. The update bot reads the version from the comment and replaces both.
  test('pin each action by its commit, with the version as a comment', () => {
    const actions = files.flatMap((file) =>
      [...readFileSync(join(root, '.github/workflows', file), 'utf8').matchAll(/\buses: (?!\.\/)(.*)/g)].map(
        ([, action]) => action,
      ),
    );
    expect(actions.length).toBeGreaterThan(3);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual(
      [],
    );
  });
});

const LOCKED = ['/measure/mutation', '/test/outside', '/.ci/tools'];

test('the update bot reads each folder that has a lock file, and the workflows', () => {
  const updates: readonly {
    readonly 'package-ecosystem': string;
    readonly directory?: string;
    readonly directories?: readonly string[];
  }[] = readYaml('.github/dependabot.yml').updates;
  const read = updates.map(({ directory = '/', directories = [directory], ...update }) => [
    update['package-ecosystem'],
    directories,
  ]);
  expect(read).toEqual([
    ['npm', ['/']],
    ['npm', LOCKED],
    ['github-actions', ['/']],
  ]);
  for (const folder of ['/', ...LOCKED]) expect(existsSync(join(root, folder, 'package-lock.json')), folder).toBe(true);
});
