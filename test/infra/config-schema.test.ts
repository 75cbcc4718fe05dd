import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { configJsonSchema, readConfig } from '../../infra/config/read-config.ts';
import { type SettingName, settingNames } from '../../infra/config/settings.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(configJsonSchema()));

const isAccepted = (file: Readonly<Record<string, unknown>>): boolean => {
  try {
    readConfig({}, file);
    return true;
  } catch {
    return false;
  }
};

const hash = 'a'.repeat(64);

/** For each setting, values in natural types that are right, and values that are wrong in its type, form or range. */
const values: Readonly<
  Record<SettingName, { readonly right: readonly unknown[]; readonly wrong: readonly unknown[] }>
> = {
  stackName: { right: ['Staging', 'Postern-2'], wrong: ['2', 'a_b', 'x'.repeat(51), 5.5] },
  region: { right: ['us-east-1', 'eu-central-1', 'ap-southeast-3'], wrong: ['europe', 'US-EAST-1', 1.5] },
  domainName: { right: [], wrong: ['https://x.org', 'X.org', 'x', true] },
  hostedZoneId: { right: [], wrong: ['example.org', 'z0123', 1] },
  priceClass: { right: ['PriceClass_100', 'PriceClass_All'], wrong: ['100', 100] },
  certificateArn: { right: [], wrong: ['arn:aws:acm:eu-west-1:123456789012:certificate/1', {}] },
  baseUrl: {
    right: ['https://posts.example.org', 'http://x.org/'],
    wrong: ['x.org', 'https://x.org/api', 'ftp://x.org'],
  },
  arch: { right: ['arm64', 'x86_64'], wrong: ['mips', true] },
  originSecretVersion: { right: [1, 2], wrong: [0, -1, 1.5, true, 'two'] },
  cursorSecretVersion: { right: [1, 7], wrong: [0, 1.5, []] },
  keysTableName: { right: ['Postern-Tableskeys1A-2B'], wrong: ['a', 'a b', 'x'.repeat(256)] },
  adminTableName: { right: ['admin'], wrong: ['a/b'] },
  securityContact: { right: ['mailto:a@b.org', 'https://b.org/contact'], wrong: ['a@b.org', 'http://b.org'] },
  abuseContact: {
    right: ['mailto:a@b.org?subject=a&body=b'],
    wrong: ['a@b.org', 'mailto:"a"@b.org', 'https://b.org/<a>'],
  },
  operatorName: { right: ['Ada Larsson & Söhne', "O'Neil, Inc."], wrong: ['<b>', 'a"b', '[a](b)', 'x'.repeat(81)] },
  providers: {
    right: [['fxtwitter'], ['syndication', 'fxtwitter']],
    wrong: [[], ['nitter'], ['fxtwitter', 'fxtwitter'], 'none'],
  },
  fxTwitterBaseUrl: { right: ['https://x.org/a'], wrong: ['x.org', 'https://x.org/?a=1', 'ftp://x.org'] },
  syndicationBaseUrl: { right: ['http://127.0.0.1:8080'], wrong: ['x.org', 1.5] },
  xApiBaseUrl: { right: ['https://api.x.com'], wrong: ['https://x.org/#a'] },
  xApiTokenSecret: { right: ['postern/x-api'], wrong: ['a b', 'x'.repeat(513)] },
  xApiTokenVersion: { right: [1, 12], wrong: [0, 'one'] },
  xApiDailyRows: { right: [0, 50_000], wrong: [-1, 0.5, 'many'] },
  canaryPost: { right: ['20'], wrong: ['twenty', 1.5] },
  canaryProfile: { right: ['X', 'ada_larsson'], wrong: ['a-b', 'x'.repeat(16)] },
  freshnessProfile: { right: ['Reuters', 'ada_larsson'], wrong: ['a-b', 'x'.repeat(16)] },
  cacheTtlSeconds: { right: [0, 86_400], wrong: [-1, 86_401, 1.5, true, null, 'soon'] },
  indexing: { right: ['none', 'all'], wrong: ['some', true, 1] },
  pictures: { right: ['direct', 'proxied'], wrong: ['none', true, 1] },
  mediaConcurrency: { right: [0, 2, 100], wrong: [-1, 1, 1.5, true, 'many'] },
  translation: { right: ['on', 'off'], wrong: ['auto', true, 1] },
  withheld: {
    right: [
      [],
      [
        { post: 'https://x.com/jack/status/20', reason: 'copyright' },
        { profile: 'jack', reason: 'court', until: '2027-01-31' },
      ],
    ],
    wrong: [{}, 'none', [{ post: '20' }], [{ profile: 'jack', reason: 'law' }], [{ reason: 'court' }], [20]],
  },
  allowanceSearchAnonymous: { right: ['10/60', '30/900,5/60'], wrong: ['10', '0/60', 'ten/60', '10/60,1/1,1/1'] },
  allowanceSearchKeyed: { right: ['60/60'], wrong: ['60'] },
  allowanceBrowse: { right: ['60/60'], wrong: ['/60'] },
  allowanceSearchPool: { right: ['500/60'], wrong: ['500 per minute'] },
  adminTokenHashes: {
    right: [[`ada=${hash}`], [`ada=${hash}`, `bob=${hash}`]],
    wrong: [[], [hash], ['ada'], { ada: hash }],
  },
  wafRateLimit: { right: [0, 10, 2000], wrong: [9, -1, 'none', 10.5] },
  webAclArn: {
    right: ['arn:aws:wafv2:us-east-1:123456789012:global/webacl/mine/11111111-2222-3333-4444-555555555555'],
    wrong: ['arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/mine/1'],
  },
  originShield: { right: [true, false], wrong: ['on', 0] },
  monthlyBudget: { right: [0, 100], wrong: [-5, '$5'] },
  alarmEmail: { right: ['ops@example.org'], wrong: ['ops', 5.5] },
  logRetentionDays: { right: [1, 30, 9999], wrong: [10, 0, 'forever'] },
  metrics: { right: ['none', 'service'], wrong: ['routes', true] },
  dashboard: { right: [true, false], wrong: ['yes'] },
  accessLogDays: { right: [0, 30], wrong: [-1, 'week'] },
  canaryMinutes: { right: [0, 5, 1440], wrong: [1441, 'hourly'] },
};

describe('the JSON Schema of postern.config.json', () => {
  it('is the one of the repository, which `npm run update -- golden` writes', async () => {
    await expect(configJsonSchema()).toMatchFileSnapshot('../../postern.config.schema.json');
  });

  it('describes every setting', () => {
    const { properties } = JSON.parse(configJsonSchema());
    expect(Object.keys(properties)).toEqual(['$schema', ...settingNames]);
    for (const name of settingNames) expect(properties[name].description, name).toMatch(/\S/);
  });

  it.each(settingNames)('%s: a validator of JSON Schema and the deployment accept the same values', (name) => {
    for (const value of values[name].right) {
      const file = { [name]: value };
      expect(isAccepted(file), JSON.stringify(file)).toBe(true);
      expect(validate(file), JSON.stringify(file)).toBe(true);
    }
    expect(values[name].wrong.length).toBeGreaterThan(0);
    for (const value of values[name].wrong) {
      const file = { [name]: value };
      expect(isAccepted(file), JSON.stringify(file)).toBe(false);
      expect(validate(file), JSON.stringify(file)).toBe(false);
    }
  });

  it('rejects unknown names, and accepts $schema', () => {
    expect(validate({ cacheTtl: 60 })).toBe(false);
    expect(validate({ $schema: './postern.config.schema.json' })).toBe(true);
  });

  it('accepts the example, which also deploys', () => {
    const { $schema, ...example } = JSON.parse(read('postern.config.example.json'));
    expect($schema).toBe('./postern.config.schema.json');
    expect(validate({ $schema, ...example })).toBe(true);
    expect(readConfig({}, example).baseUrl).toBe('https://posts.example.org');
  });

  it('has the defaults of the deployment', () => {
    const { properties } = JSON.parse(configJsonSchema());
    const defaults = settingNames.flatMap((name) =>
      properties[name].default === undefined ? [] : [[name, properties[name].default] as const],
    );
    expect(readConfig({}, Object.fromEntries(defaults))).toEqual(readConfig({}));
  });
});
