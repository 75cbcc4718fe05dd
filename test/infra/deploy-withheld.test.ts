import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeploymentRecord, recordOf } from '../../infra/config/deployment-record.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { planForgetting } from '../../infra/deploy/deploy.ts';
import { parseTemplate } from '../../infra/deploy/template.ts';
import { mustForget, withheldChanges } from '../../infra/deploy/withheld.ts';

const recorded = (...withheld: readonly object[]): DeploymentRecord => recordOf(readConfig({}, { withheld }));

const POST = { post: 'https://fxtwitter.com/Jack/status/20?s=20', reason: 'copyright' };
const PROFILE = { profile: '@Ada', reason: 'court', until: '2099-01-31' };

const ENDED = { ...PROFILE, until: '2026-01-31' };
const NOW = Date.parse('2026-11-26T12:00:00Z');

const textsOf = (before: readonly object[], after: readonly object[]): readonly string[] =>
  withheldChanges(recorded(...before), recorded(...after), NOW).map(({ text }) => text);

describe('[withheld 4] the list of a deployment', () => {
  it('names what is new, what changes and what goes', () => {
    expect(textsOf([], [POST, PROFILE])).toEqual([
      'the post 20 of @Jack is withheld: copyright',
      '@Ada is withheld: court, until 2099-01-31T00:00:00.000Z',
    ]);
    expect(textsOf([POST, PROFILE], [{ ...PROFILE, reason: 'other' }])).toEqual([
      '@Ada stays withheld: other, until 2099-01-31T00:00:00.000Z',
      'the post 20 of @Jack is shown again',
    ]);
    expect(textsOf([POST], [{ post: '20', reason: 'copyright' }])).toEqual(['the post 20 stays withheld: copyright']);
    expect(textsOf([POST, PROFILE], [PROFILE, POST])).toEqual([]);
  });

  it('knows that an entry has ended', () => {
    expect(textsOf([ENDED], [PROFILE])).toEqual(['@Ada is withheld again: court, until 2099-01-31T00:00:00.000Z']);
    expect(textsOf([PROFILE], [ENDED])).toEqual(['@Ada is shown again']);
    expect(textsOf([], [ENDED])).toEqual([
      '@Ada is not withheld, because its entry has ended: court, until 2026-01-31T00:00:00.000Z',
    ]);
    expect(textsOf([ENDED], [])).toEqual([]);
    expect(textsOf([PROFILE], [PROFILE, ENDED])).toEqual([]);
  });

  it.each([
    ['a new entry', [], [POST]],
    ['an entry that goes', [POST, PROFILE], [PROFILE]],
    ['another subject', [POST], [PROFILE]],
    ['another handle in the link', [POST], [{ ...POST, post: 'x.com/ada/status/20' }]],
    ['an id in place of the link', [POST], [{ ...POST, post: '20' }]],
    ['another end', [PROFILE], [{ ...PROFILE, until: '2099-02-01' }]],
    ['no end', [PROFILE], [{ ...PROFILE, until: undefined }]],
    ['an ended entry that is extended', [ENDED], [PROFILE]],
    ['another reason', [POST], [{ ...POST, reason: 'court' }]],
  ])('lets the caches forget all answers after %s', (_, before, after) => {
    expect(mustForget(recorded(...before), recorded(...after))).toBe(true);
  });

  it('lets the caches forget if the deployed release recorded nothing', () => {
    expect(mustForget(undefined, recorded(POST))).toBe(true);
    expect(mustForget(undefined, recorded())).toBe(false);
  });

  it('forgets nothing if the list is the same', () => {
    const spelled = { ...POST, post: 'https://x.com/Jack/status/20' };
    expect(mustForget(recorded(POST, PROFILE), recorded(spelled, PROFILE))).toBe(false);
  });
});

describe('[withheld 4] CloudFront', () => {
  const template = parseTemplate({ Resources: { Edge: { Type: 'AWS::CloudFront::Distribution' } } });
  const account = { resourceId: async (stack: string, id: string) => `${stack}-${id}` };
  const COMMAND = "aws cloudfront create-invalidation --distribution-id Postern-Edge --profile ops --paths '/*'";

  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postern-aws-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  /** @param script of the only program that is found */
  const plan = async (script?: string) => {
    if (script !== undefined) writeFileSync(join(folder, 'aws'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', folder);
    const said = vi.spyOn(console, 'log').mockReturnValue();
    return { said, forget: await planForgetting(account, 'Postern', template, 'ops') };
  };

  it('stops the deployment if the AWS CLI is missing', async () => {
    await expect(plan()).rejects.toThrow(/needs the AWS CLI\. Nothing was deployed/);
  });

  it('forgets everything after the deployment, and is waited for', async () => {
    const { said, forget } = await plan(`echo "$*" >> ${join(folder, 'calls')}; echo I1`);
    expect(said.mock.calls.join('\n')).toContain(COMMAND);
    await forget();
    expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toEqual([
      '--version',
      `${COMMAND.slice(4).replaceAll("'", '')} --query Invalidation.Id --output text`,
      'cloudfront wait invalidation-completed --distribution-id Postern-Edge --profile ops --id I1',
    ]);
    expect(said.mock.lastCall?.join()).toContain('in force everywhere');
  });

  it('names the command that is left if the AWS CLI fails', async () => {
    const { forget } = await plan('test "$1" = --version');
    await expect(forget()).rejects.toThrow(`Run: ${COMMAND}`);
  });
});
