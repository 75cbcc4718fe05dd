import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageNames } from '../../../shared/publish/document.ts';
import { type PagePlaceholder, pagePlaceholders } from '../../../shared/publish/pages/page-placeholders.ts';
import { expandPlaceholders, pageFile, readPageText, usageOf } from '../../../shared/publish/pages/read-page.ts';

const FOLDER = new URL('../../../shared/publish/pages/', import.meta.url);

test('the table of routes leads from a deprecated route to the page of versions, and from others to their resource', () => {
  const rows = expandPlaceholders('example.md', '{{table routes}}').split('\n').slice(2);
  const deprecated = rows.filter((row) => row.includes('| Deprecated |'));
  expect(deprecated.length).toBeGreaterThan(0);
  for (const row of rows) expect(row.includes('/docs/versioning'), row).toBe(deprecated.includes(row));
});

test('a placeholder is expanded within its line', () => {
  const markdown = `before\n"{{base}}{{path readPost}}"}} {{link limits#keys|a key}} after`;
  const expected = `before\n"{base_url}/api/v1/posts"}} [a key]({base_url}/docs/limits#keys) after`;
  expect(expandPlaceholders('example.md', markdown)).toBe(expected);
});

test.each([
  ['{{eror rate_limited}}', `there is no placeholder "eror"; known: ${Object.keys(pagePlaceholders).join(', ')}`],
  ['{{ base }}', 'there is no placeholder ""'],
  ['{{error toString}}', 'there is no problem code "toString"'],
  ['{{warning cut}}', 'there is no warning code "cut"; known: conversation_unavailable, '],
  ['{{path readPost|X}}', '/api/v1/posts has no variable'],
  ['{{problem internal_error}}', 'there is no recorded problem "internal_error"; known: unsupported_host, '],
  ['{{format pdf}}', 'there is no format "pdf"; known: markdown, json, '],
  ['{{error}}', 'wrong number of arguments; the form is {{error CODE}}'],
  ['{{base url}}', 'wrong number of arguments; the form is {{base}}'],
  ['{{link limits|a|b}}', 'wrong number of arguments; the form is {{link DOCUMENT#SECTION|TEXT?}}'],
  ['{{base}} {{link\nlimits}}', 'a placeholder does not end on its line'],
])('the placeholder %s fails with the file, the line and the names that exist', (placeholder, message) => {
  expect(() => expandPlaceholders('example.md', `before\n${placeholder} after`)).toThrow(`example.md:2: ${message}`);
});

test('each page has a Markdown file, and each Markdown file is a page', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(files.toSorted()).toEqual(pageNames.map(pageFile).toSorted());
});

const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

test.each(pageNames)('every table of the page %s has a heading for each column', (name) => {
  const lines = readPageText(name).split('\n');
  for (const [index, line] of lines.entries()) {
    if (!/^\|(?: --- \|)+$/.test(line)) continue;
    const headings = cellsOf(lines[index - 1] ?? '');
    expect(headings).toHaveLength(cellsOf(line).length);
    expect(headings).not.toContain('');
  }
});

test('README.md describes each placeholder', () => {
  const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
  const described = [...readme.matchAll(/^\| `(\{\{.*?\}\})` \|/gm)].map(([, usage = '']) =>
    usage.replaceAll('\\|', '|'),
  );
  expect(described).toEqual(Object.entries<PagePlaceholder>(pagePlaceholders).map(([name, row]) => usageOf(name, row)));
});
