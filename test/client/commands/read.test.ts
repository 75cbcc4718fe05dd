// Runs `npm run read` in a separate process and checks its output and exit code.
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../support/programs.ts';

const run = (argumentList: readonly string[], variables = {}) =>
  runProgram('client/commands/read.ts', argumentList, { DATA_DIR: 'memory', UPSTREAM: 'sample', ...variables });

describe('npm run read', () => {
  test('prints JSON with --json', async () => {
    const { output, code } = await run(['--json', 'x.com/jack/status/20']);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ source: 'sample', post: { id: '20' } });
  });

  test.each([
    ['@jack', /^# jack \(@jack\)\n\nno state is the best state\n/],
    ['https://x.com/ada_larsson/followers', /^# Followers of @ada_larsson\n/],
    ['https://x.com/jack/status/20', /^# jack \(@jack\)\n\njust setting up/],
    ['2028036267832246272', /x\.com\/[a-z_]+\/status\/2028036267832246272/i],
    ['https://x.com/search?q=tide&f=live', /^# Search: tide\n/],
    ['http://127.0.0.1:3000/jack/status/20', /^# jack \(@jack\)\n\njust setting up/],
  ])('[commands 1] prints the Markdown that the text of the box %s means', async (text, output) => {
    expect(await run([text])).toEqual({ output: expect.stringMatching(output), errors: '', code: 0 });
  });

  test.each([
    [['--format', 'obsidian', 'https://x.com/jack/status/20'], /^---\ntitle: /],
    [['--format', 'json', '@jack'], /^\{.*"profile":\{/],
    [['--format', 'ndjson', 'https://x.com/ada_larsson/followers'], /^\{"handle":.*\n\{"handle":/],
    [['--format', 'rss', 'https://x.com/ada_larsson/media'], /^<\?xml /],
    [['--format', 'rss', '@ada_larsson'], /^<\?xml .*\n<rss /],
    [['--format', 'jsonfeed', '@ada_larsson'], /^\{"version":"https:\/\/jsonfeed\.org/],
  ])('[commands 2] prints the format of %j', async (argumentList, output) => {
    const { output: printed, errors } = await run(argumentList);
    expect(printed + errors).toMatch(output);
  });

  test('[commands 2] --layout unrolled prints a thread as one text, with one byline', async () => {
    const { output, code } = await run(['--layout', 'unrolled', 'https://x.com/jack/status/20']);
    expect(code).toBe(0);
    expect(output.match(/jack \(@jack\)/g)).toHaveLength(1);
  });

  test.each([
    ['https://x.com/jack/status/21', /^The sample has no such post\n/],
    ['https://example.com/jack/status/20', /: The url is not on X\nPass the URL of a post on x\.com/],
    ['https://x.com/i/spaces/3', /: The url does not name a post\nPass the URL of one post/],
    ['nonsense', /^nonsense is no link on X, no @handle and no id of a post\.\nFor the account, pass @nonsense/],
    ['tide tables', /^tide tables is no link on X, .*\nTo search for words, pass/],
  ])('[commands 1] prints the problem and its resolution for %s', async (text, errors) => {
    expect(await run([text])).toEqual({ output: '', errors: expect.stringMatching(errors), code: 1 });
  });

  test.each([
    [['--format', 'xml', '@jack'], /^The format is unknown\n/],
    [['--layout', 'unrolled', '@jack'], /^--layout is for a post\. Leave it out\.\n$/],
    [['--layout', 'unrolled', '--json', 'x.com/jack/status/20'], /^A parameter has a value .*\nlayout /],
  ])('[commands 2] %j is rejected', async (argumentList, errors) => {
    expect(await run(argumentList)).toEqual({ output: '', errors: expect.stringMatching(errors), code: 1 });
  });

  test.each([[[]], [['a', 'b']], [['--xml', 'a']], [['--json', '--format', 'json', '@a']]])(
    '%j prints the usage',
    async (argumentList) => {
      expect(await run(argumentList)).toEqual({
        output: '',
        errors: expect.stringMatching(/^usage: npm run -s read/),
        code: 1,
      });
    },
  );

  test('a setting that is wrong ends the command', async () => {
    const errors = expect.stringMatching(/^CACHE_TTL_SECONDS must be a whole number/);
    expect(await run(['@jack'], { CACHE_TTL_SECONDS: '-1' })).toEqual({ output: '', errors, code: 1 });
  });

  test('says on standard error that the answer is from the sample', async () => {
    const { errors, code } = await run(['https://x.com/jack/status/20'], {
      UPSTREAM: '',
      FXTWITTER_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(code).toBe(0);
    expect(errors).toMatch(/^upstream: sample/);
  });
});
