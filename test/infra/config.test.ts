import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../infra/app.ts';
import { readConfigFile } from '../../infra/config/config-file.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { regionWarning } from '../../infra/config/regions.ts';
import { SetupError } from '../../infra/config/setting.ts';
import { removedSettings, settingNames } from '../../infra/config/settings.ts';

const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

const BASE_URLS =
  'must be an http(s) address without credentials, query and fragment, or up to 10 different ones separated by commas. There is no rate: a base URL that answers 429 is not called until its Retry-After';

const thrownBy = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'nothing';
};

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
      priceClass: 'PriceClass_All',
      providers: ['fxtwitter', 'syndication'],
      fxTwitterBaseUrl: 'https://api.fxtwitter.com',
      syndicationBaseUrl: 'https://cdn.syndication.twimg.com',
      xApiBaseUrl: 'https://api.x.com',
      canaryPost: '20',
      canaryProfile: 'X',
      freshnessProfile: 'Reuters',
      cacheTtlSeconds: 300,
      indexing: 'none',
      pictures: 'direct',
      mediaConcurrency: 100,
      translation: 'on',
      withheld: [],
      allowanceSearchAnonymous: { count: 10, seconds: 60 },
      allowanceSearchKeyed: { count: 60, seconds: 60 },
      allowanceBrowse: { count: 60, seconds: 60 },
      adminTokenHashes: '',
      arch: 'arm64',
      originSecretVersion: 1,
      cursorSecretVersion: 1,
      logRetentionDays: 30,
      xApiTokenVersion: 1,
      xApiDailyRows: 2000,
      wafRateLimit: 0,
      originShield: false,
      monthlyBudget: 0,
      metrics: 'service',
      dashboard: true,
      accessLogDays: 0,
      canaryMinutes: 15,
    });
  });

  it('[withheld 4] a wrong entry of the withheld list is named', () => {
    const right = { post: 'x.com/jack/status/20', reason: 'court' };
    expect(complaint({ withheld: [right, { profile: 'a b', reason: 'court' }] })).toBe(
      'withheld: entry 2, {"profile":"a b","reason":"court"}, has no handle as profile, nor an id such as id:12',
    );
    expect(readConfig({ withheld: JSON.stringify([right]) }).withheld).toEqual([
      { id: '20', handle: 'jack', reason: 'court' },
    ]);
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
    for (const wrong of ['ada=secret', hash, `ada=${hash},ada=${hash}`, `=${hash}`, 'ada'])
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
    [
      { domainName: 'posts.example.org' },
      'domainName goes together with certificateArn or hostedZoneId: set it with one of them, or none',
    ],
    [
      { certificateArn: CERTIFICATE },
      'domainName goes together with certificateArn or hostedZoneId: set it with one of them, or none',
    ],
    [{ domainName: 'https://x.org', certificateArn: CERTIFICATE }, 'domainName must be a host name in lower case'],
    [
      { domainName: 'x.org', certificateArn: CERTIFICATE.replace('us-east-1', 'eu-west-1') },
      'certificateArn must be the ARN of an ACM certificate in us-east-1, where CloudFront looks for them',
    ],
    [{ baseUrl: 'posts.example.org' }, 'baseUrl must be an origin without path, such as https://posts.example.org'],
    [
      { providers: 'fxtwitter,nitter' },
      'providers must be a comma-separated list, in order of preference, of fxtwitter, syndication, x_api',
    ],
    [{ fxTwitterBaseUrl: 'https://user:secret@x.org' }, `fxTwitterBaseUrl ${BASE_URLS}`],
    [{ canaryPost: 'twenty' }, 'canaryPost must be the id of a post'],
    [{ canaryPost: 2e18 }, 'canaryPost must be the id of a post'],
    [{ cacheTtlSeconds: '-1' }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ cacheTtlSeconds: ' ' }, 'cacheTtlSeconds must be a whole number of seconds from 0 to 86400'],
    [{ alarmEmail: 'ops' }, 'alarmEmail must be an e-mail address'],
    [{ arch: 'mips' }, 'arch must be arm64 or x86_64'],
    [{ originSecretVersion: 0 }, 'originSecretVersion must be a whole number from 1'],
  ])('%j is rejected', (context, message) => {
    expect(complaint(context)).toBe(message);
  });

  it('a retention that CloudWatch Logs does not support is rejected', () => {
    expect(complaint({ logRetentionDays: 10 })).toMatch(
      /^logRetentionDays must be a number of days that CloudWatch Logs knows: 1, 3, 5,/,
    );
  });

  it.each(['cacheTtlSecond', 'cacheTtlSecond2', 'cache_ttl_seconds', 'cacheTtl.seconds', 'CACHE_TTL_SECONDS'])(
    'a misspelt setting is rejected with the nearest name: %s',
    (name) => {
      expect(complaint({ [name]: 60 })).toBe(`${name}: no such setting; the nearest is cacheTtlSeconds`);
    },
  );

  it.each([...removedSettings])('a removed setting is refused with what is instead: %s', (name, instead) => {
    expect(settingNames).not.toContain(name);
    expect(complaint({ [name]: 1 })).toBe(`${name} was removed: ${instead}`);
  });

  it('a part of a name is near to the name', () => {
    expect(complaint({ xApiToken: 'a' })).toBe('xApiToken: no such setting; the nearest is xApiTokenSecret');
    expect(complaint({ certificate: 'a' })).toBe('certificate: no such setting; the nearest is certificateArn');
  });

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

  it('all errors are reported at once, also those between settings', () => {
    const wrong = { arch: 'mips', region: 'moon', domainName: 'posts.example.org', tll: 1, providers: ['x_api'] };
    expect(complaint(wrong).split('\n').toSorted()).toEqual([
      'arch must be arm64 or x86_64',
      'domainName goes together with certificateArn or hostedZoneId: set it with one of them, or none',
      'providers names x_api, which needs xApiTokenSecret',
      'region must be an AWS region, such as us-east-1',
      expect.stringMatching(/^tll: no such setting/),
    ]);
  });

  it('a rule between settings is silent about a setting that is wrong itself', () => {
    expect(complaint({ domainName: 'posts.example.org', certificateArn: 'mine' })).toMatch(
      /^certificateArn must[^\n]*$/,
    );
  });

  it.each([
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
    ['eusc-de-east-1', 'aws-eusc'],
  ])('the region %s is rejected because of its partition %s', (region, partition) => {
    expect(complaint({ region })).toMatch(new RegExp(`^region cannot be ${region}: the partition ${partition} has no`));
  });

  it('a region that an account must enable is accepted, with a warning', () => {
    expect(readConfig({ region: 'ap-southeast-3' }).region).toBe('ap-southeast-3');
    expect(regionWarning('ap-southeast-3')).toMatch(/^ap-southeast-3 is a region that an account must enable first/);
    expect(regionWarning('eu-west-1')).toBeUndefined();
  });
});

describe('settings in a file', () => {
  it('have natural types', () => {
    const file = {
      providers: ['x_api', 'fxtwitter'],
      xApiTokenSecret: 'postern/x-api',
      cacheTtlSeconds: 600,
      originShield: true,
      adminTokenHashes: [`ada=${'a'.repeat(64)}`, `bob=${'b'.repeat(64)}`],
    };
    const text = {
      providers: 'x_api, fxtwitter',
      xApiTokenSecret: 'postern/x-api',
      cacheTtlSeconds: '600',
      originShield: 'true',
      adminTokenHashes: `ada=${'a'.repeat(64)},bob=${'b'.repeat(64)}`,
    };
    expect(readConfig({}, file)).toEqual(readConfig(text));
    expect(readConfig({}, file)).toMatchObject({
      providers: ['x_api', 'fxtwitter'],
      originShield: true,
    });
  });

  it('are replaced by context, also by empty context', () => {
    const file = { cacheTtlSeconds: 600, alarmEmail: 'ops@example.org' };
    expect(readConfig({ cacheTtlSeconds: '60' }, file)).toMatchObject({
      cacheTtlSeconds: 60,
      alarmEmail: file.alarmEmail,
    });
    expect(readConfig({ alarmEmail: '' }, file).alarmEmail).toBeUndefined();
  });

  it('are read from postern.config.json, or from another file that context names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-config-'));
    try {
      const settingsOf = (path?: string) => readConfigFile(folder, path).settings;
      expect(settingsOf()).toEqual({});
      writeFileSync(join(folder, 'postern.config.json'), '\uFEFF{"$schema": "./x.json", "cacheTtlSeconds": 60}');
      writeFileSync(join(folder, 'staging.json'), '{"stackName": "Staging"}');
      writeFileSync(join(folder, 'broken.json'), '{"xApiTokenSecret": "AAAAAAAAAAAAAAAA", }');
      writeFileSync(join(folder, 'list.json'), '[]');
      expect(settingsOf()).toEqual({ cacheTtlSeconds: 60 });
      expect(settingsOf('')).toEqual({ cacheTtlSeconds: 60 });
      expect(settingsOf('staging.json')).toEqual({ stackName: 'Staging' });
      expect(() => readConfigFile(folder, 'none.json')).toThrow(new SetupError('there is no none.json'));
      expect(() => readConfigFile(folder, 'broken.json')).toThrow(
        new SetupError('broken.json: line 1, column 41: expected a name in quotation marks after the comma, found }'),
      );
      expect(() => readConfigFile(folder, 'list.json')).toThrow(/^list\.json must be one JSON object/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['xApiTokenSecret', `${'A'.repeat(22)}MLheAAAAAAA0%2BuSeid%2BULvsea4JtiGRiSDSJSI%3D`, 'a bearer token of X'],
    ['xApiTokenSecret', '2244994945-N0h1qyZ0tJ8ZpGQkqB3vE2xYc7ab', 'an access token of X'],
    ['xApiTokenSecret', 'xvz1evFS4wEEPTGEFPHBog9aZ', 'an API key of X'],
    ['adminTokenHashes', `ada=${'kA3_-'.repeat(9).slice(0, 43)}`, 'the token of an operator'],
    ['adminTokenHashes', ['kA3_-'.repeat(9).slice(0, 43)], 'the token of an operator'],
    ['fxTwitterBaseUrl', `https://x.org/pstn_${'a1B2'.repeat(10)}`, 'an API key of Postern'],
    ['canaryProfile', `AKIA${'ABCD'.repeat(4)}`, 'an access key of AWS'],
    ['securityContact', '-----BEGIN RSA PRIVATE KEY-----', 'a private key'],
    ['xApiToken', `Bearer ${'a'.repeat(30)}`, 'a bearer token'],
  ])('%s with a secret is rejected without repeating it', (name, value, what) => {
    const message = complaint({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} looks like ${what}, which a setting must not contain: `));
    for (const text of [value].flat()) expect(message).not.toContain(text.slice(-12));
  });
});

describe('a hostile postern.config.json', () => {
  const reading = (text: string) => (): unknown => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-config-'));
    try {
      writeFileSync(join(folder, 'postern.config.json'), text);
      const { settings, place } = readConfigFile(folder);
      return readConfig({}, settings, place);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('is refused if it names a setting twice, of which JSON keeps the last', () => {
    const twice = '{"cacheTtlSeconds": 60, "adminTokenHashes": ["x"], "cache\\u0054tlSeconds": 600}';
    expect(reading(twice)).toThrow(
      'postern.config.json: line 1, column 52: the name "cacheTtlSeconds" is there twice: remove one',
    );
    expect(
      reading('{"baseUrl": "https://a.example", "fxTwitterBaseUrl": "https://a.example/\\"baseUrl\\":"}'),
    ).not.toThrow();
  });

  // Quadratic work would take hours.
  it('is refused in a short sentence if it is junk', () => {
    for (const junk of [`{"${'a'.repeat(8_000_000)}": 1}`, `{"${'a'.repeat(60_000)}": 1}`, '['.repeat(8_000_000)]) {
      expect(reading(junk)).toThrow(/^.{1,180}$/s);
    }
  });

  it('is refused if a value is nested deeply', () => {
    const deep = `{"cacheTtlSeconds": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(reading(deep)).toThrow(/^postern\.config\.json: line 1, column 21: cacheTtlSeconds must be/);
  });

  it('[withheld 5] is refused with the place of each wrong setting and entry', () => {
    const file = `{
  "cacheTtl": 60,
  "wafRateLimit": 9,
  "xApiTokenSecret": "Bearer ${'a'.repeat(30)}",
  "withheld": [
    { "post": "20", "reason": "court" },
    { "post": "20", "reason": "law" }
  ]
}`;
    const places = [...(thrownBy(reading(file)).match(/^postern\.config\.json: .*?: \w+/gm) ?? [])];
    expect(places.toSorted()).toEqual([
      'postern.config.json: line 2, column 15: cacheTtl',
      'postern.config.json: line 3, column 19: wafRateLimit',
      'postern.config.json: line 4, column 22: xApiTokenSecret',
      'postern.config.json: line 7, column 5: withheld',
    ]);
  });

  it('is not named for a setting of the command line', () => {
    const { settings, place } = { settings: { wafRateLimit: 5 }, place: () => 'postern.config.json: line 1, column 1' };
    expect(thrownBy(() => readConfig({ wafRateLimit: 9 }, settings, place))).toMatch(/^wafRateLimit must be/);
  });
});
