// Checks the runbook: a paragraph per alarm, links that lead somewhere, and commands that a shell, npm and the AWS CLI
// accept. With RUNBOOK_ENDPOINT, the URL of an AWS emulator, every aws command is sent to it (.ci/runbook).
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { isSettingName, settingNames } from '../../infra/config/settings.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { runbookAnchors } from '../../shared/contract/alarms.ts';

const text = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
const tokens = new MarkdownIt().parse(text, {});

const headings = tokens.flatMap((token, index) =>
  token.type === 'heading_open' ? [{ level: token.tag, title: tokens[index + 1]?.content ?? '' }] : [],
);
const blocks = tokens.flatMap(({ type, info, content }) => (type === 'fence' && info === 'sh' ? [content] : []));
const lines = blocks.flatMap((block) => block.trim().split('\n'));

/** As GitHub makes them from headings. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

test('every alarm has its paragraph, and every paragraph of an alarm its alarm', () => {
  const start = headings.findIndex(({ title }) => title === 'Alarms');
  const end = headings.findIndex(({ title }) => title === 'Secrets');
  const described = headings.slice(start + 1, end).map(({ title }) => title);
  expect(described.toSorted()).toEqual(runbookAnchors.toSorted());
});

test('a name in the text differs from no setting in letter case only', () => {
  const spellings = new Map(settingNames.map((name) => [name.toLowerCase(), name]));
  const words = [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
  const named = words.filter((word) => spellings.has(word.toLowerCase()));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((word) => !isSettingName(word))).toEqual([]);
});

test('every link within the runbook leads to a heading', () => {
  const anchors = headings.map(({ title }) => anchorOf(title));
  expect(new Set(anchors).size).toBe(anchors.length);
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((anchor = '') => !anchors.includes(anchor))).toEqual([]);
});

test('no command of the runbook or a page shows only a part, ends too early, or needs Linux', () => {
  const pages = new URL('../../shared/publish/pages/', import.meta.url);
  const files = readdirSync(pages).filter((name) => name.endsWith('.md'));
  const texts = [text, ...files.map((name) => readFileSync(new URL(name, pages), 'utf8'))];
  const mistakes = [
    /describe-stack-resources\b/, // shows 100 resources
    /describe-alarms(?!.*--alarm-types)/, // leaves composite alarms out
    /wait table-exists/, // ends after 8 minutes
    /\bdate (?:-u )?-d\b|sha256sum/, // GNU
  ];
  expect(mistakes.filter((mistake) => texts.some((page) => mistake.test(page)))).toEqual([]);
});

describe('a command', () => {
  test.each(blocks.map((block) => [block]))('is valid for the shell: %s', (block) => {
    expect(spawnSync('bash', ['-n', '-c', block], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  test('of npm is a script of package.json', () => {
    const scripts = lines.flatMap((line) => /npm run (?:-s )?([a-z-]+)/.exec(line)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(10);
    expect(scripts.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  });

  test('names a setting that exists after every -c', () => {
    const names = lines.flatMap((line) => [...line.matchAll(/ -c (\w+)=/g)].map(([, name = '']) => name));
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !isSettingName(name))).toEqual([]);
  });
});

const endpoint = process.env['RUNBOOK_ENDPOINT'];

/** The AWS CLI exits with this code if it does not know a command, an option or the form of a value. */
const USAGE_ERROR = 252;

describe.skipIf(endpoint === undefined)('the AWS CLI', () => {
  const commands = lines
    .flatMap((line) => (line.startsWith('until ') ? (/\$\((aws .*)\)/.exec(line)?.[1] ?? []) : line))
    .filter((line) => line.startsWith('aws ') && !line.includes(' wait '));

  test.each(commands)('understands: %s', (line) => {
    const environment = {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_PAGER: '',
      AWS_MAX_ATTEMPTS: '1',
      STACK: 'Postern',
      LOG_GROUP: '/none',
      KEYS_TABLE: 'keys',
      COUNTERS_TABLE: 'counters',
      RESTORED_TABLE: 'restored',
      RESTORE_TIME: '2026-11-22T12:00:00Z',
      KEY: 'pstn_x',
      X_API_TOKEN_SECRET: 'none',
      NEW_TOKEN: 'none',
      DISTRIBUTION_ID: 'E1',
      DEPLOYMENT_ID: 'd-1',
      HASH: '0'.repeat(64),
      DOMAIN: 'posts.example.org',
      CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
      ADMIN_TABLE: 'admin',
      LOG_BUCKET: 'logs',
    };
    const { status, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8', env: environment });
    expect(status, stderr).not.toBe(USAGE_ERROR);
    // Whatever is missing in the empty emulator is no fault of the command.
    expect(stderr).not.toMatch(
      /usage: aws|Unknown options|You must specify|Parameter validation failed|Bad value for --query/,
    );
  });
});
