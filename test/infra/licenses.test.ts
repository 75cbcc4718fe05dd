// Tests that the licences of every package come with its code, and that no package fails a build.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test, vi } from 'vitest';
import { functionFolder, functionsFolder, LICENSES_FILE, ROOT } from '../../infra/build/dist-layout.ts';
import { withBundles } from '../../infra/build/kept-build.ts';
import { licensesOf } from '../../infra/build/licenses.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

/** @returns the licences of a bundle that contains the module of one package */
const licensesOfPackage = (manifest: object, files: Files = {}): string => {
  const folder = join(temporaryFolder(), 'node_modules', 'sample');
  mkdirSync(folder, { recursive: true });
  const all = { 'package.json': JSON.stringify({ name: 'sample', version: '1.2.3', ...manifest }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const module = relative(ROOT, join(folder, 'index.js'));
  return licensesOf({ inputs: { [module]: { bytesInOutput: 1 } } }) ?? '';
};

const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

const MIT = 'Permission is hereby granted, free of charge';
const APACHE = 'Apache License Version 2.0, January 2004';

test.each([
  [{ license: 'MIT', author: 'Ada Example <ada@example.com> (https://example.com)' }, 'Copyright (c) Ada Example', MIT],
  [{ license: { type: 'MIT' }, author: { name: 'Ada Example' } }, '(MIT) MIT License Copyright (c) Ada Example', MIT],
  [{ licenses: [{ type: 'GPL-2.0' }, { type: 'MIT' }] }, '(GPL-2.0 OR MIT)', MIT],
  [{ license: 'Apache-2.0', author: { name: 'A Team' } }, 'Copyright (c) A Team', APACHE],
  [{ license: '(MIT OR CC0-1.0)' }, 'Copyright (c) the authors of sample', MIT],
  [{ license: 'Apache-2.0 AND MIT' }, APACHE, MIT],
  [{ license: 'BSD-2-Clause' }, 'Redistributions in binary form', 'EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE'],
  [{ license: 'BSD-3-Clause' }, 'Neither the name of the copyright holder', 'DISCLAIMED. IN NO EVENT'],
  [{ license: 'ISC' }, 'provided that the above copyright notice', 'AND THE AUTHOR DISCLAIMS ALL WARRANTIES'],
  [{ license: '0BSD' }, 'with or without fee is hereby granted. THE', 'AND THE AUTHOR DISCLAIMS ALL WARRANTIES'],
])(
  '[releases 4] a package without a text has the text of the licence that it names when it is %o',
  (manifest, ...parts) => {
    const warn = vi.spyOn(console, 'warn');
    const licenses = words(licensesOfPackage(manifest));
    for (const part of ['sample 1.2.3 (', ...parts]) expect(licenses).toContain(part);
    expect(licenses).not.toContain('<copyright>');
    expect(warn).not.toHaveBeenCalled();
  },
);

test('a package without a text has the holders whom its README names', () => {
  const licenses = licensesOfPackage(
    { license: 'MIT', author: 'Ada' },
    { 'Readme.md': '# sample\n\nMIT. Copyright (c) 2020 [Ada](https://example.com) and others\n' },
  );
  expect(licenses).toContain('\nCopyright (c) 2020 [Ada](https://example.com) and others\n');
});

test.each([
  [{ license: 'SEE LICENSE ELSEWHERE', homepage: 'https://example.com/sample' }, 'https://example.com/sample'],
  [{ license: 'UNLICENSED', repository: { url: 'git+https://example.com/s.git' } }, 'git+https://example.com/s.git'],
  [{ license: 'MIT AND (ISC OR Unknown-1.0)' }, 'none named'],
  [{}, 'none named'],
])('[releases 4] a package without a known licence is a warning with its home page when it is %o', (manifest, home) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const licenses = licensesOfPackage(manifest);
  expect(licenses).toContain('sample 1.2.3 (');
  expect(licenses).toContain(`Its home page: ${home}\n`);
  expect(licenses).not.toContain(MIT);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^warning: sample 1\.2\.3 \(.+\) brings no text/)]]);
});

test('a package has every text that it brings, and no other', () => {
  const licenses = licensesOfPackage(
    { license: 'MIT OR Apache-2.0' },
    {
      'LICENSE-MIT.txt': 'first\r\ntext',
      'license.markdown': 'second text',
      NOTICE: 'third text',
      'license.js': 'module.exports',
      'licenses/other.txt': 'folder',
      COPYING: '\n',
    },
  );
  const [, , ...lines] = licenses
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines).toEqual(['sample 1.2.3 (MIT OR Apache-2.0)', 'first', 'text', 'third text', 'second text']);
});

/** Packages that bring the text as the list of licences has it. */
test.each([
  ['MIT', 'LICENSE'],
  ['Apache-2.0', 'node_modules/constructs/LICENSE'],
  ['ISC', 'node_modules/yaml/LICENSE'],
  ['BlueOak-1.0.0', 'node_modules/sax/LICENSE.md'],
])('the text of %s is word for word that of %s', (license, file) => {
  const text = words(
    readFileSync(join(ROOT, file), 'utf8').replace(/^Copyright (?:\(c\) 2026|Eemeli) .*$/m, '<holder>'),
  );
  const found = words(licensesOfPackage({ license }).replace(/^Copyright \(c\) .*$/m, '<holder>'));
  expect(found).toContain(text.trim());
});

test('[releases 4] every package in the bundles has a text of its licence', async () => {
  const texts = await withBundles(async (dist) =>
    readdirSync(functionsFolder(dist)).map((name) =>
      readFileSync(join(functionFolder(dist, name), LICENSES_FILE), 'utf8'),
    ),
  );
  expect(texts.length).toBeGreaterThan(9);
  for (const text of texts) {
    expect(text).toContain(MIT);
    expect(text).not.toContain('brings no text');
  }
});
