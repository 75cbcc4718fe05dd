// Compares the installed packages with the reviewed packages. Tests that an unreviewed package never fails the build, and
// changes no behaviour.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { licensesOf } from '../../infra/build/licenses.ts';
import {
  awsSdkStubs,
  mcpSdkStubs,
  reviewFindings,
  type StubbedDependency,
  stubsPlugin,
  undiciStubs,
} from '../../infra/build/package-stubs.ts';
import { tableOf } from '../../shared/model/json.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REVIEW = `The stubs need a review. Until then the bundles have the whole package, which is correct, but slower to start.
1. Read the changes: npm diff --diff=PACKAGE@OLD --diff=PACKAGE@NEW
2. Check each stub: the comment above it must still be true, and it must have every export that the package imports.
3. Write the new version into reviewedVersions, and run the tests of the bundles in test/infra.`;

test.each([undiciStubs, awsSdkStubs, mcpSdkStubs])(
  'the stubs are reviewed for the installed versions: $reviewedVersions',
  (stubs) => {
    expect(reviewFindings(stubs), REVIEW).toEqual([]);
  },
);

const root = fileURLToPath(new URL('../../', import.meta.url));

const buildProbe = async (contents: string, dependency: StubbedDependency) => {
  const { outputFiles, warnings, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    metafile: true,
    logLevel: 'silent',
    mainFields: ['module', 'main'],
    plugins: [stubsPlugin(dependency)],
  });
  return {
    code: outputFiles[0]?.text ?? '',
    warnings: warnings.map(({ text }) => text),
    licenses: licensesOf(...Object.values(metafile.outputs)) ?? '',
  };
};

/** As if the stubs had been reviewed for another version of each package. */
const unreviewed = (dependency: StubbedDependency): StubbedDependency => ({
  ...dependency,
  reviewedVersions: tableOf(Object.keys(dependency.reviewedVersions), () => '0.0.1'),
});

const AGENT = "export { Agent } from 'undici';";
const STUBBED = 'was bundled without';

describe('the plugin', () => {
  test('replaces the files of reviewed packages, and built-ins only for these files', async () => {
    const { code, warnings } = await buildProbe(`${AGENT}\nexport { ok } from 'node:assert';`, undiciStubs);
    expect(warnings).toEqual([]);
    expect(code).toContain('undici was bundled without HTTP/2');
    expect(code.match(/require\("(?:node:)?assert"\)/g)).toHaveLength(1);
  });

  test('leaves files of another copy of the package whole', async () => {
    const folder = join(temporaryFolder(), 'node_modules/undici');
    const copy = join(folder, 'index.js');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "name": "undici", "version": "1.0.0", "license": "MIT" }');
    writeFileSync(copy, "exports.Agent = 'of another copy';");
    const { code } = await buildProbe(`export { Agent } from ${JSON.stringify(copy)};`, undiciStubs);
    expect(code).toContain('of another copy');
  });

  test('names a package that is not installed', () => {
    expect(reviewFindings({ ...undiciStubs, reviewedVersions: { absent: '1.0.0' } })).toEqual([
      'absent is not installed, but its stubs were reviewed for 1.0.0',
    ]);
  });

  test('fails the build of a module that imports another export of undici', async () => {
    await expect(buildProbe("export { fetch } from 'undici';", undiciStubs)).rejects.toThrow('"fetch"');
  });
});

describe('[releases 4] a version that was not reviewed', () => {
  test.each([
    { dependency: undiciStubs, source: AGENT, whole: ['undici'] },
    {
      dependency: awsSdkStubs,
      source: "export { createDynamoDbClient } from './shared/stores/dynamodb-client.ts';",
      whole: ['@aws-sdk/credential-provider-node', '@aws-sdk/credential-provider-http'],
    },
    {
      dependency: mcpSdkStubs,
      source: "export { Server } from '@modelcontextprotocol/sdk/server/index.js';",
      whole: ['ajv', 'ajv-formats'],
    },
  ])('is bundled whole, with its licences and a warning: $dependency.reviewedVersions', async (row) => {
    const { code, warnings, licenses } = await buildProbe(row.source, unreviewed(row.dependency));
    expect(code).not.toContain(STUBBED);
    const names = Object.keys(row.dependency.reviewedVersions);
    expect(warnings).toEqual(
      names.map((name) =>
        expect.stringMatching(`^${name} is .+, but its stubs were reviewed for 0\\.0\\.1: bundled without stubs$`),
      ),
    );
    const packages = licenses.split('\n').map((line) => line.replace(/ \S+ \(.+\)$/, ''));
    expect(packages).toEqual(expect.arrayContaining([...row.whole]));
    expect(licenses).not.toContain('brings no text');
  });

  test.each([
    ['with the stubs', awsSdkStubs],
    ['without them', unreviewed(awsSdkStubs)],
  ])('sends requests to DynamoDB of the region, whatever the environment says: %s', async (_, dependency) => {
    const { code } = await buildProbe(
      `export { createDynamoDbClient } from './shared/stores/dynamodb-client.ts';
      export { GetItemCommand } from '@aws-sdk/client-dynamodb';`,
      dependency,
    );
    const folder = temporaryFolder();
    const [bundle, config] = [join(folder, 'bundle.cjs'), join(folder, 'config')];
    writeFileSync(bundle, code);
    writeFileSync(
      config,
      '[default]\nregion = sa-east-1\nendpoint_url = http://127.0.0.1:2\nuse_fips_endpoint = true\nuse_dualstack_endpoint = true\n',
    );
    const env = {
      AWS_CONFIG_FILE: config,
      AWS_SHARED_CREDENTIALS_FILE: config,
      AWS_REGION: 'ap-south-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_USE_DUALSTACK_ENDPOINT: 'true',
      AWS_USE_FIPS_ENDPOINT: 'true',
      AWS_DISABLE_CLOCK_SKEW_CORRECTION: 'no boolean',
    };
    const script = `
      const record = ({ host }) => { console.log(host); throw new Error('recorded'); };
      require('node:https').request = record;
      require('node:http').request = record;
      const { createDynamoDbClient, GetItemCommand } = require(${JSON.stringify(bundle)});
      const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
      const client = createDynamoDbClient({ region: 'us-east-1', credentials });
      client.send(new GetItemCommand({ TableName: 'keys', Key: {} })).catch(({ message }) => console.log(message));`;
    const output = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env });
    expect(output).toBe('dynamodb.us-east-1.amazonaws.com\nrecorded\n');
  });
});
