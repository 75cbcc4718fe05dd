import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problems } from '../../../shared/contract/problems.ts';
import { pageNames } from '../../../shared/publish/document.ts';
import { type PagePlaceholder, pagePlaceholders } from '../../../shared/publish/pages/page-placeholders.ts';
import { expandPlaceholders, pageFile, readPage, usageOf } from '../../../shared/publish/pages/read-page.ts';

const FOLDER = new URL('../../../shared/publish/pages/', import.meta.url);

const expanded = (placeholder: string): string => expandPlaceholders('example.md', `before\n${placeholder} after`);

test('the table of routes leads from a deprecated route to the page of versions, and from others to their resource', () => {
  const rows = expandPlaceholders('example.md', '{{table routes}}').split('\n').slice(2);
  const deprecated = rows.filter((row) => row.includes('| Deprecated |'));
  expect(deprecated.length).toBeGreaterThan(0);
  for (const row of rows) expect(row.includes('/docs/versioning'), row).toBe(deprecated.includes(row));
});

describe('a placeholder', () => {
  test.each([
    ['{{base}}/docs', '{base_url}/docs'],
    ['{{cacheControl private}}', 'private, no-store'],
    ['{{error rate_limited}}', '[`rate_limited`]({base_url}/docs/errors#rate_limited)'],
    ['{{link limits}}', '[Limits and keys]({base_url}/docs/limits)'],
    ['{{link limits|own allowance}}', '[own allowance]({base_url}/docs/limits)'],
    ['{{link limits#keys|a key}}', '[a key]({base_url}/docs/limits#keys)'],
    ['{{path readProfile}}', '/api/v1/profiles/{handle}'],
    ['{{path readProfile|X}}', '/api/v1/profiles/X'],
    ['{{path securityTxt}}', '/.well-known/security.txt'],
    ['{{value mcpPath}}', '/mcp'],
    ['{{warning truncated}}', '[`truncated`]({base_url}/docs/formats#warnings)'],
    ['"{{base}}{{path readPost}}"}}', '"{base_url}/api/v1/posts"}}'],
  ])('the placeholder %s becomes %s', (placeholder, markdown) => {
    expect(expanded(placeholder)).toBe(`before\n${markdown} after`);
  });

  test.each([
    ['{{example readPost}}', /^```sh\n.*\n```\n\n```json\n/],
    ['{{parameters readPost}}', /^\| Parameter \|.*\n\| --- \|.*\n\| `url` \|/],
    ['{{sections errors}}', /^## missing_parameter\n\n\*\*400\*\* /],
    ['{{table routes}}', /^\| Route \|.*\n\| --- \|.*\n\| `GET \/api\/v1\/posts` \|/],
    ['{{problem post_not_found}}', /^```sh\n# 404 post_not_found\ncurl .*\n```\n\n```json\n\{\n {2}"type"/],
    ['{{problem rate_limited}}', /^```json\n\{\n {2}"type"/],
    ['{{format oembed}}', /^```sh\ncurl .*\n```\n\n```json\n/],
    ['{{useCase readPost}}', /^\| Property \| Value \|\n\| --- \| --- \|\n.*`GET \/api\/v1\/posts`/],
  ])('the placeholder %s becomes a block', (placeholder, markdown) => {
    expect(expandPlaceholders('example.md', placeholder)).toMatch(markdown);
  });

  test.each([
    ['{{eror rate_limited}}', `there is no placeholder "eror"; known: ${Object.keys(pagePlaceholders).join(', ')}`],
    ['{{}}', 'there is no placeholder ""'],
    ['{{ base }}', 'there is no placeholder ""'],
    ['{{constructor}}', 'there is no placeholder "constructor"'],
    ['{{error rate_limit}}', `there is no problem code "rate_limit"; known: ${Object.keys(problems).join(', ')}`],
    ['{{error toString}}', 'there is no problem code "toString"'],
    ['{{warning cut}}', 'there is no warning code "cut"; known: conversation_unavailable, '],
    ['{{link limit}}', 'there is no document "limit"; known: home, '],
    ['{{useCase readPots}}', 'there is no use case "readPots"; known: readPost, '],
    ['{{parameters url}}', 'there is no use case "url"; known: readPost, '],
    ['{{example posts}}', 'there is no use case "posts"; known: readPost, '],
    ['{{path readPots}}', 'there is no path "readPots"; known: home, '],
    ['{{path readPost|X}}', '/api/v1/posts has no variable'],
    ['{{table posts}}', 'there is no table "posts"; known: deprecationHeaders, '],
    ['{{sections posts}}', 'there is no list of sections "posts"; known: errors, platformErrors'],
    ['{{value posts}}', 'there is no value "posts"; known: aliasSunset, '],
    ['{{cacheControl posts}}', 'there is no cache class "posts"; known: post, '],
    ['{{problem internal_error}}', 'there is no recorded problem "internal_error"; known: unsupported_host, '],
    ['{{format pdf}}', 'there is no format "pdf"; known: markdown, json, '],
    ['{{error}}', 'wrong number of arguments; the form is {{error CODE}}'],
    ['{{base url}}', 'wrong number of arguments; the form is {{base}}'],
    ['{{useCase readPost|readProfile}}', 'wrong number of arguments; the form is {{useCase USE_CASE}}'],
    ['{{link limits|a|b}}', 'wrong number of arguments; the form is {{link DOCUMENT#SECTION|TEXT?}}'],
    ['{{link limits', 'a placeholder does not end on its line'],
    ['{{base}} {{link\nlimits}}', 'a placeholder does not end on its line'],
  ])('the placeholder %s fails with the file, the line and the names that exist', (placeholder, message) => {
    expect(() => expanded(placeholder)).toThrow(`example.md:2: ${message}`);
  });
});

test('each page has a Markdown file, and each Markdown file is a page', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(files.toSorted()).toEqual(pageNames.map(pageFile).toSorted());
});

test.each(pageNames)('no placeholder remains in the page %s', (name) => {
  expect(readPage(name)).not.toContain('{{');
});

test('README.md describes each placeholder', () => {
  const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
  const described = [...readme.matchAll(/^\| `(\{\{.*?\}\})` \|/gm)].map(([, usage = '']) =>
    usage.replaceAll('\\|', '|'),
  );
  expect(described).toEqual(Object.entries<PagePlaceholder>(pagePlaceholders).map(([name, row]) => usageOf(name, row)));
});
