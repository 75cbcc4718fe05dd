// Compares the stack with that of every release, as CloudFormation would update it. `npm run update -- release-template` stores
// the template of a release.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { parseJson } from '../../shared/model/json.ts';
import { type Fields, fieldsOf } from './evaluation/template.ts';
import { describeUpgrade, lossesOf, withResource } from './releases/describe.ts';
import { reduceTemplate, STATEFUL } from './releases/reduce.ts';
import { templateOf } from './synthesized.ts';

const FOLDER = new URL('releases/', import.meta.url);
const releases = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));

const readRelease = (version: string): Fields =>
  fieldsOf(parseJson(readFileSync(new URL(`${version}.json`, FOLDER), 'utf8')));

const today = reduceTemplate(templateOf().toJSON());
const said: string[] = [];
afterAll(() => console.log(said.join('\n')));

describe('an update from a release', () => {
  test('is compared for every release since 0.1.0', () => {
    expect(releases).toContain('0.1.0');
    // After the version is raised, `npm run update -- release-template` stores its template.
    expect(releases).toContain(packageJson.version);
  });

  test.each(releases)('from %s replaces and removes no stateful resource', (version) => {
    const release = readRelease(version);
    said.push(`${version} to today:`, ...describeUpgrade(release, today).map((line) => `  ${line}`));
    expect(lossesOf(release, today)).toEqual([]);
    expect(fieldsOf(today['Outputs'])).toHaveProperty('Url');
  });
});

describe('a loss is found', () => {
  const resources = Object.entries(fieldsOf(today['Resources'])).map(([id, row]) => ({ id, row: fieldsOf(row) }));
  const first = (type: string) => {
    const found = resources.find(({ row }) => row['Type'] === type);
    if (found === undefined) throw new Error(`there is no ${type}`);
    return found;
  };

  test.each(STATEFUL)('a removed or renamed %s', (type) => {
    const { id, row } = first(type);
    const removed = withResource(today, id, undefined);
    expect(lossesOf(today, removed)).toEqual([expect.stringMatching(`WILL_(DESTROY|ORPHAN) ${type} ${id}`)]);
    expect(lossesOf(today, withResource(removed, `${id}2`, row))).toHaveLength(1);
  });

  test.each([
    ['AWS::DynamoDB::Table', 'KeySchema', [{ AttributeName: 'other', KeyType: 'HASH' }]],
    ['AWS::DynamoDB::Table', 'TableName', 'another'],
    ['AWS::SecretsManager::Secret', 'Name', 'another'],
    ['AWS::ApiGatewayV2::Api', 'ProtocolType', 'WEBSOCKET'],
    ['AWS::Lambda::Url', 'TargetFunctionArn', 'another'],
  ])('a change of %s that replaces it: %s', (type, property, value) => {
    const { id, row } = first(type);
    const changed = { ...row, Properties: { ...fieldsOf(row['Properties']), [property]: value } };
    expect(lossesOf(today, withResource(today, id, changed))).toEqual([
      expect.stringMatching(new RegExp(`REPLACE ${type} ${id}: ${property}`)),
    ]);
  });
});
