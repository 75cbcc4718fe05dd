import { describe, expect, test } from 'vitest';
import { createSearch } from '../../../functions/discovery/page/docs/search-engine.ts';
import { documentsFromContract } from '../../../infra/build/documents-plugin.ts';
import { documentRows } from '../../../shared/contract/documents.ts';
import { problems } from '../../../shared/contract/problem-rows.ts';

const published = await documentsFromContract();
const search = createSearch(published.docsSearch.file);

const firstOf = (words: string): readonly string[] =>
  search(words)
    .slice(0, 3)
    .map(({ href }) => href);

describe('the search of the documentation', () => {
  test.each([
    ['rate limited', '/docs/errors#rate_limited'],
    ['max_tokens', '/docs/formats#truncated-markdown'],
    ['Codex', '/docs/mcp#codex'],
    ['Claude Desktop', '/docs/mcp#claude-desktop'],
    ['versionning', '/docs/versioning'],
    ['obsid', '/docs/compare#obsidian'],
  ])('finds %s', (words, href) => {
    expect(firstOf(words).join(' ')).toContain(href.split('#')[0]);
    expect(search(words).map((result) => result.href)).toContain(href);
  });

  test('finds the section of each problem first', () => {
    for (const code of Object.keys(problems)) expect(firstOf(code)).toContain(`/docs/errors#${code}`);
  });

  test.each(['', '   ', 'qqqqzzzz', '\ud800', '__proto__', '.*+?^$()|[]{}\\'])('answers %j with a list', (words) => {
    expect(Array.isArray(search(words))).toBe(true);
  });

  test('shows at most eight results, each with a title and a page', () => {
    const results = search('post');
    expect(results).toHaveLength(8);
    for (const { title, page } of results) expect([title, page]).not.toContain('');
  });
});

test('every result of the search leads to an existing section, without a placeholder', () => {
  const { storedFields, documentIds }: { storedFields: object; documentIds: Record<string, string> } = JSON.parse(
    published.docsSearch.file,
  );
  expect(published.docsSearch.file).not.toMatch(/\{(?:base_url|mcp_config_base64)\}/);
  const hrefs = Object.values(documentIds);
  expect(hrefs.length).toBe(Object.keys(storedFields).length);
  expect(hrefs.length).toBeGreaterThan(100);
  for (const href of hrefs) {
    const [path, id] = href.split('#');
    const [name] = documentRows.find(([, row]) => row.path === path) ?? [];
    const document = name === undefined ? undefined : published[name];
    expect(document !== undefined && 'html' in document, href).toBe(true);
    if (id !== undefined) expect(document, href).toMatchObject({ html: expect.stringContaining(` id="${id}"`) });
  }
});
