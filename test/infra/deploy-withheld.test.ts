import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeploymentRecord, recordOf } from '../../infra/config/deployment-record.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { forgetAnswers, requireAwsCli } from '../../infra/deploy/deploy.ts';
import { mustForget, withheldChanges } from '../../infra/deploy/withheld.ts';
import { documentOf } from './synthesized.ts';

const recorded = (...withheld: readonly object[]): DeploymentRecord => recordOf(readConfig({}, { withheld }));

const POST = { post: 'https://fxtwitter.com/Jack/status/20?s=20', reason: 'copyright' };
const PROFILE = { profile: '@Ada', reason: 'court', until: '2099-01-31' };

const BY_ID = { profile: 'id:12', reason: 'court' };

const ENDED = { ...PROFILE, until: '2026-01-31' };
const NOW = Date.parse('2026-11-26T12:00:00Z');

const textsOf = (before: readonly object[], after: readonly object[]): readonly string[] =>
  withheldChanges(recorded(...before), recorded(...after), NOW);

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
    expect(textsOf([BY_ID], [{ profile: '12', reason: 'court' }])).toEqual([
      '@12 is withheld: court',
      'id:12 is shown again',
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
    ['an account by its id', [], [BY_ID]],
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
  const COMMAND = "aws cloudfront create-invalidation --distribution-id E1 --profile ops --paths '/*'";

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
  const withAwsCli = (script?: string) => {
    if (script !== undefined) writeFileSync(join(folder, 'aws'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', folder);
    return vi.spyOn(console, 'log').mockReturnValue();
  };

  it('stops the deployment if the AWS CLI is missing', async () => {
    withAwsCli();
    await expect(requireAwsCli()).rejects.toThrow(/needs the AWS CLI\. Nothing was deployed/);
    withAwsCli('true');
    await requireAwsCli();
  });

  it('forgets everything after the deployment, and is waited for', async () => {
    const said = withAwsCli(`echo "$*" >> ${join(folder, 'calls')}; echo I1`);
    await forgetAnswers('E1', 'ops');
    expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toEqual([
      `${COMMAND.slice(4).replaceAll("'", '')} --query Invalidation.Id --output text`,
      'cloudfront wait invalidation-completed --distribution-id E1 --profile ops --id I1',
    ]);
    expect(said.mock.lastCall?.join()).toContain('in force everywhere');
  });

  it('names the command that is left if the AWS CLI fails', async () => {
    withAwsCli('false');
    await expect(forgetAnswers('E1', 'ops')).rejects.toThrow(`Run: ${COMMAND}`);
  });

  it('forgets everything by an output of the stack after a plain cdk deploy', () => {
    const [value = ''] = Object.entries(documentOf().Outputs).flatMap(([name, row]) =>
      name === 'ForgetAnswers' ? [JSON.stringify(row)] : [],
    );
    expect(value).toMatch(
      /aws cloudfront create-invalidation --distribution-id ",\{"Ref":"CdnDistribution\w+"\}," --paths '\/\*'/,
    );
  });
});
