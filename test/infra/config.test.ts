import { describe, expect, it } from 'vitest';
import { createApp } from '../../infra/app.ts';
import { readConfig, SetupError } from '../../infra/config.ts';

const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

const ADDRESS = 'must be an http(s) address without credentials, query and fragment';

const complaint = (context: Readonly<Record<string, unknown>>): string => {
  try {
    readConfig(context);
  } catch (error) {
    expect(error).toBeInstanceOf(SetupError);
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
};

describe('settings', () => {
  it('every setting has a default that deploys', () => {
    expect(readConfig({})).toEqual({
      stackName: 'Postern',
      region: 'us-east-1',
      providers: ['fxtwitter', 'syndication'],
      fxTwitterBaseUrl: 'https://api.fxtwitter.com',
      syndicationBaseUrl: 'https://cdn.syndication.twimg.com',
      xApiBaseUrl: 'https://api.x.com',
      canaryPost: '20',
      canaryProfile: 'X',
      cacheTtlSeconds: 300,
      allowanceSearchAnonymous: { count: 10, seconds: 60 },
      allowanceSearchKeyed: { count: 60, seconds: 60 },
      allowanceBrowse: { count: 60, seconds: 60 },
      adminTokenHashes: '',
      arch: 'arm64',
      originSecret: 'generated',
      originSecretVersion: 1,
      cursorSecretVersion: 1,
      logRetentionDays: 30,
      xApiTokenVersion: 1,
      xApiDailyRows: 2000,
      wafRateLimit: 0,
      wafManagedRules: false,
      apiThrottleRate: 0,
      apiThrottleBurst: 0,
      reservedConcurrency: {},
      originShield: false,
      monthlyBudget: 0,
      metrics: 'routes',
      tracing: false,
      dashboard: true,
      accessLogDays: 0,
      quietHours: 0,
      rollout: 'all-at-once',
      canaryMinutes: 0,
    });
  });

  it('an allowance may have a burst limit, and anonymous searches may have an allowance pool', () => {
    const set = { allowanceSearchAnonymous: '30/900,5/60', allowanceSearchPool: '500/60' };
    expect(readConfig(set)).toMatchObject({
      allowanceSearchAnonymous: { count: 30, seconds: 900, burst: { count: 5, seconds: 60 } },
      allowanceSearchPool: { count: 500, seconds: 60 },
    });
    for (const wrong of ['0/60', '10', '10/60,20/30', '10/60,5/7', '10/0', '10/90000', 'ten/60'])
      expect(() => readConfig({ allowanceBrowse: wrong }), wrong).toThrow(/^allowanceBrowse must be COUNT\/SECONDS/);
  });

  it('operators are names with token hashes, and a token is rejected', () => {
    const hash = 'a'.repeat(64);
    expect(readConfig({ adminTokenHashes: `ada=${hash},bob=${hash}` }).adminTokenHashes).toMatch(/^ada=/);
    for (const wrong of ['ada=secret', hash, `ada=${hash},ada=${hash}`, `=${hash}`])
      expect(() => readConfig({ adminTokenHashes: wrong })).toThrow(/^adminTokenHashes must be NAME=SHA-256[^a]/);
  });

  it('context of the CDK is not a setting', () => {
    expect(readConfig(createApp().node.getAllContext())).toEqual(readConfig({}));
  });

  it('an empty setting is unset', () => {
    expect(readConfig({ baseUrl: '', cacheTtlSeconds: '', domainName: '' })).toEqual(readConfig({}));
  });

  it('numbers may be text, as on the command line', () => {
    expect(readConfig({ cacheTtlSeconds: '0', logRetentionDays: '7', canaryPost: 20 })).toMatchObject({
      cacheTtlSeconds: 0,
      logRetentionDays: 7,
      canaryPost: '20',
    });
  });

  it('the base URL defaults to the domain name and has no trailing slash', () => {
    const domain = { domainName: 'posts.example.org', certificateArn: CERTIFICATE };
    expect(readConfig(domain).baseUrl).toBe('https://posts.example.org');
    expect(readConfig({ ...domain, baseUrl: 'https://other.example.org/' }).baseUrl).toBe('https://other.example.org');
  });

  it.each([
    [{ region: 'europe' }, 'region must be an AWS region, such as us-east-1'],
    [{ domainName: 'posts.example.org' }, 'domainName and certificateArn go together: set both or neither'],
    [{ certificateArn: CERTIFICATE }, 'domainName and certificateArn go together: set both or neither'],
    [{ domainName: 'https://x.org', certificateArn: CERTIFICATE }, 'domainName must be a host name in lower case'],
    [
      { domainName: 'x.org', certificateArn: CERTIFICATE.replace('us-east-1', 'eu-west-1') },
      'certificateArn must be the ARN of an ACM certificate in us-east-1, where CloudFront looks for them',
    ],
    [{ baseUrl: 'posts.example.org' }, 'baseUrl must be an origin without path, such as https://posts.example.org'],
    [{ baseUrl: 'https://x.org/api' }, 'baseUrl must be an origin without path, such as https://posts.example.org'],
    [
      { providers: 'fxtwitter,nitter' },
      'providers must be a comma-separated list, in order of preference, of fxtwitter, syndication, x_api',
    ],
    [
      { providers: 'fxtwitter,fxtwitter' },
      'providers must be a comma-separated list, in order of preference, of fxtwitter, syndication, x_api',
    ],
    [{ fxTwitterBaseUrl: 'ftp://x.org' }, `fxTwitterBaseUrl ${ADDRESS}`],
    [{ fxTwitterBaseUrl: 'https://x.org/?key=1' }, `fxTwitterBaseUrl ${ADDRESS}`],
    [{ fxTwitterBaseUrl: 'https://user:secret@x.org' }, `fxTwitterBaseUrl ${ADDRESS}`],
    [{ syndicationBaseUrl: 'x.org' }, `syndicationBaseUrl ${ADDRESS}`],
    [{ canaryPost: 'twenty' }, 'canaryPost must be the id of a post'],
    [{ canaryPost: 2e18 }, 'canaryPost must be the id of a post'],
    [{ cacheTtlSeconds: '-1' }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ cacheTtlSeconds: '1.5' }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ cacheTtlSeconds: ' ' }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ cacheTtlSeconds: true }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ cacheTtlSeconds: null }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ cacheTtlSeconds: 'soon' }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ alarmEmail: 'ops' }, 'alarmEmail must be an e-mail address'],
    [{ arch: 'mips' }, 'arch must be arm64 or x86_64'],
    [{ originSecret: 'none' }, 'originSecret must be generated (in Secrets Manager) or parameter'],
    [{ originSecretVersion: 0 }, 'originSecretVersion must be a whole number from 1'],
  ])('%j is rejected', (context, message) => {
    expect(complaint(context)).toBe(message);
  });

  it('a retention that CloudWatch Logs does not support is rejected', () => {
    expect(complaint({ logRetentionDays: 10 })).toMatch(
      /^logRetentionDays must be a number of days that CloudWatch Logs knows: 1, 3, 5,/,
    );
  });

  it.each(['cacheTtlSecond', 'cacheTtlSecond2', 'cache_ttl_seconds', 'cacheTtl.seconds'])(
    'a misspelt setting is rejected with the list of settings: %s',
    (name) => {
      const message = complaint({ [name]: 60 });
      expect(message.startsWith(`${name}: no such setting; known are stackName, region, domainName, `)).toBe(true);
    },
  );

  it('base URLs are passed to the functions in the form in which the functions parse them', () => {
    const { fxTwitterBaseUrl, baseUrl } = readConfig({
      fxTwitterBaseUrl: 'HTTPS://Fx.example.org:443/a//',
      baseUrl: 'https://X.org/',
    });
    expect({ fxTwitterBaseUrl, baseUrl }).toEqual({
      fxTwitterBaseUrl: 'https://fx.example.org/a',
      baseUrl: 'https://x.org',
    });
  });

  it('all errors are reported at once', () => {
    expect(complaint({ arch: 'mips', region: 'moon' }).split('\n')).toHaveLength(2);
  });
});
