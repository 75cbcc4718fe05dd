// Compares the served /openapi.json with the released description (requirements: discovery): by oasdiff, if OASDIFF names
// it, and by code what oasdiff does not read. .ci/description installs oasdiff.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../support/test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the changes edit members of a document of any shape
type Json = any;

const LANDED = fileURLToPath(new URL('../../.ci/landed-openapi.json', import.meta.url));
const released: Json = JSON.parse(readFileSync(LANDED, 'utf8'));
const served: Json = (await createTestApp().get('/openapi.json')).json();

test('[discovery 7] GET /openapi.json keeps all released forms of quote', () => {
  const formsIn = ({ components }: Json): string[] =>
    (components.schemas.Post.properties.quote.oneOf ?? components.schemas.Post.properties.quote.anyOf).map(
      (form: Json) => form.$ref,
    );
  // An UnidentifiedTombstone can have an id, so it describes each Tombstone.
  const expected = formsIn(released).filter((form) => form !== '#/components/schemas/Tombstone');
  expect(formsIn(served)).toEqual(expect.arrayContaining(expected));
});

test('[discovery 7] GET /openapi.json has no earlier date, no shorter window and no version less in its lifecycle', () => {
  const [before, now] = [released['x-api-lifecycle'], served['x-api-lifecycle']];
  expect(now.supported_versions).toEqual(expect.arrayContaining(before.supported_versions));
  expect(now.minimum_support_window_months).toBeGreaterThanOrEqual(before.minimum_support_window_months);
  for (const old of before.deprecated_operations) {
    const { deprecation = old.deprecation, sunset = old.sunset } =
      now.deprecated_operations.find((row: Json) => row.operation_id === old.operation_id) ?? {};
    expect([old.operation_id, deprecation >= old.deprecation, sunset >= old.sunset]).toEqual([
      old.operation_id,
      true,
      true,
    ]);
  }
});

/** Rules that other spellings of the same answers and arguments break, by the released version that spells them otherwise. */
const RESPELLED: Readonly<Record<string, readonly (readonly [rule: string, about: string, reason: string])[]>> = {
  '2.10.0': [
    [
      'response-property-type-changed',
      'oneOf[#/components/schemas/PostLink]/cashtags` ',
      'No answer has it. Clients of openapi-generator in Java compare only texts and lists.',
    ],
  ],
};

const oasdiff = process.env['OASDIFF'] || '';
if (oasdiff === '') console.log('skipped: breaking changes by oasdiff (OASDIFF is not set)');

interface Break {
  /** The rule. */
  readonly id: string;
  readonly path: string;
  /** What has changed. */
  readonly text: string;
}

/** @returns the rules that a document breaks for clients of the released one */
const brokenRules = (document: Json): readonly Break[] => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-oasdiff-'));
  const file = join(folder, 'openapi.json');
  const severities = fileURLToPath(new URL('../../.ci/oasdiff-severities.txt', import.meta.url));
  try {
    writeFileSync(file, JSON.stringify(document));
    const options = ['--severity-levels', severities, '--format', 'json'];
    const { stdout, stderr } = spawnSync(oasdiff, ['breaking', LANDED, file, ...options], { encoding: 'utf8' });
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout || '[]');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe.skipIf(oasdiff === '')('[discovery 7] oasdiff', () => {
  test('reports no breaking change of GET /openapi.json', () => {
    const accepted = RESPELLED[released.info.version] ?? [];
    const isAccepted = ({ id, text }: Break): boolean =>
      accepted.some(([rule, about]) => id === rule && text.includes(about));
    expect(brokenRules(served).filter((broken) => !isAccepted(broken))).toEqual([]);
  });

  // Clients rely on these, so .ci/oasdiff-severities.txt raises their severity.
  test.each<readonly [rule: string, change: (search: Json, limit: Json) => void]>([
    ['optional-response-header-removed', ({ responses }) => delete responses['200'].headers['RateLimit-Policy']],
    ['request-parameter-default-value-changed', (_, { schema }) => Object.assign(schema, { default: 7 })],
    ['request-parameter-type-generalized', (_, { schema }) => Object.assign(schema, { type: 'string' })],
    ['response-non-success-status-removed', ({ responses }) => delete responses['304']],
  ])('reports %s', (rule, change) => {
    const document = structuredClone(released);
    const search = document.paths['/api/v1/search'].get;
    change(
      search,
      search.parameters.find(({ name }: Json) => name === 'limit'),
    );
    expect(brokenRules(document)).toContainEqual(expect.objectContaining({ id: rule, path: '/api/v1/search' }));
  });
});
