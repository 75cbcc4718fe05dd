// Compares the stack with that of every release by the update rules of CloudFormation: @aws-cdk/cloudformation-diff knows
// which property of which resource causes a replacement. `npm run update -- release-template` stores the template of a release.
import { readdirSync, readFileSync } from 'node:fs';
import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { parseJson } from '../../shared/model/json.ts';
import { type Fields, fieldsOf } from './evaluation/template.ts';
import { reduceTemplate, STATEFUL } from './releases/reduce.ts';
import { templateOf } from './synthesized.ts';

const FOLDER = new URL('releases/', import.meta.url);
const releases = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

const today = reduceTemplate(templateOf().toJSON());

const LOSES: readonly ResourceImpact[] = [
  ResourceImpact.WILL_REPLACE,
  ResourceImpact.MAY_REPLACE,
  ResourceImpact.WILL_DESTROY,
  ResourceImpact.WILL_ORPHAN,
];

/** The stateful resources that an update would lose, as text. */
const lossesOf = (from: Fields, to: Fields): readonly string[] => {
  const losses: string[] = [];
  fullDiff({ ...from }, { ...to }).resources.forEachDifference((id, { changeImpact, oldResourceType: type }) => {
    if (STATEFUL.some((name) => name === type) && LOSES.includes(changeImpact))
      losses.push(`${changeImpact} ${type} ${id}`);
  });
  return losses;
};

test('an update is compared for every release since 0.1.0', () => {
  expect(releases).toContain('0.1.0');
  // After the version is raised, `npm run update -- release-template` stores its template.
  expect(releases).toContain(packageJson.version);
});

test.each(releases)('an update from %s replaces and removes no stateful resource', (version) => {
  const release = fieldsOf(parseJson(readFileSync(new URL(`${version}.json`, FOLDER), 'utf8')));
  expect(lossesOf(release, today)).toEqual([]);
  expect(fieldsOf(today['Outputs'])).toHaveProperty('Url');
});
