// Compares the installed packages with the reviewed packages. Tests that an unreviewed package never fails the build.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import {
  awsSdkStubs,
  reviewFindings,
  type StubbedDependency,
  stubsPlugin,
  undiciStubs,
} from '../../infra/build/package-stubs.ts';

const REVIEW = `The stubs need a review. Until then the bundles have the whole package, which is correct, but slower to start.
1. Read the changes: npm diff --diff=PACKAGE@OLD --diff=PACKAGE@NEW
2. Check each stub: the comment above it must still be true, and it must have every export that the package imports.
3. Write the new version into reviewedVersions, and run the tests of the bundles in test/infra.`;

test.each([undiciStubs, awsSdkStubs])(
  'the stubs are reviewed for the installed versions: $reviewedVersions',
  (stubs) => {
    expect(reviewFindings(stubs), REVIEW).toEqual([]);
  },
);

const buildProbe = async (contents: string, dependency: StubbedDependency) => {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../../', import.meta.url)) },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
    plugins: [stubsPlugin(dependency)],
  });
  return { code: outputFiles[0]?.text ?? '', warnings: warnings.map(({ text }) => text) };
};

const PROBE = "export { Agent } from 'undici';\nexport { ok } from 'node:assert';";

describe('the plugin', () => {
  test('replaces the files of reviewed packages, and built-ins only for these files', async () => {
    const { code, warnings } = await buildProbe(PROBE, undiciStubs);
    expect(warnings).toEqual([]);
    expect(code).toContain('undici was bundled without HTTP/2');
    expect(code.match(/require\("(?:node:)?assert"\)/g)).toHaveLength(1);
  });

  test('warns and leaves the package whole if another version is installed', async () => {
    const findings = [expect.stringMatching(/^undici is .+, but its stubs were reviewed for 1\.0\.0: bundled without/)];
    const { code, warnings } = await buildProbe(PROBE, { ...undiciStubs, reviewedVersions: { undici: '1.0.0' } });
    expect(warnings).toEqual(findings);
    expect(code).not.toContain('undici was bundled without');
    expect(reviewFindings({ ...undiciStubs, reviewedVersions: { absent: '1.0.0' } })).toEqual([
      'absent is not installed, but its stubs were reviewed for 1.0.0',
    ]);
  });

  test('fails the build of a module that imports another export of undici', async () => {
    await expect(buildProbe("export { fetch } from 'undici';", undiciStubs)).rejects.toThrow('"fetch"');
  });
});
