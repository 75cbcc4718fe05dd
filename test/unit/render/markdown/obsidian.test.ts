// Checks that two YAML parsers read the frontmatter of a note alike and that authors cannot write Obsidian syntax.
import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ArticleBlock } from '../../../../shared/model/post.ts';
import { visibleLine } from '../../../../shared/model/visible-text.ts';
import { frontmatter, presentPost, shortFrontmatter } from '../../../../shared/reads/post/present.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { escapeParagraphs, escapeSpan } from '../../../../shared/render/markdown/escape.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { renderList } from '../../../support/list-models.ts';
import { nodesOf, readWithMarkdownIt, readWithMdast } from '../../../support/markdown-oracle.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const FRONTMATTER = /^---\n([\s\S]*?\n)---\n\n$/;

const yamlOf = (head: string): string => {
  const [, yaml] = FRONTMATTER.exec(head) ?? [];
  if (yaml === undefined) throw new Error(`no frontmatter: ${head}`);
  return yaml;
};

const wellFormed = (text: string): string => text.toWellFormed();

const expectSameStrings = (name: string, url: string, lang: string, created: string, id: string): void => {
  const post = postOf({
    author: userOf(name),
    url,
    lang,
    created_at: created,
    id,
    hashtags: ['ok', '日本', 'no spaces', '2026'],
    community: { id: '1', name },
  });
  const author = visibleLine(name) || 'ada';
  const expected = {
    title: `${author}: Hello`,
    author,
    handle: 'ada',
    source: wellFormed(url),
    id: wellFormed(id),
    published: wellFormed(created),
    created: wellFormed(created),
    community: wellFormed(name),
    lang: wellFormed(lang),
    likes: 1,
    reposts: 0,
    replies: 2,
    views: 3000,
    tags: ['ok', '日本'],
  };
  const yaml = yamlOf(frontmatter(post));
  expect(parse(yaml, { version: '1.2' })).toEqual(expected);
  expect(parse(yaml, { version: '1.1' })).toEqual(expected);
  expect(load(yaml)).toEqual(expected);
  expect(load(yamlOf(shortFrontmatter(post)))).toEqual({ source: wellFormed(url) });
};

const FIELDS = 5;
const RUNS = cases(400, 2000);

test(`[text 6] yaml and js-yaml read ${FIELDS * RUNS} hostile texts as the same strings`, () => {
  fc.assert(fc.property(hostileText, hostileText, hostileText, hostileText, hostileText, expectSameStrings), {
    numRuns: RUNS,
  });
});

test('[text 6] a name cannot end the frontmatter or add a key', () => {
  const head = frontmatter(postOf({ author: userOf('Eve: [x] # c\n---\nadmin: true\n') }));
  expect(head).toMatch(
    /^---\ntitle: "Eve: \[x\] # c --- admin: true: Hello"\nauthor: "Eve: \[x\] # c --- admin: true"\n/,
  );
  expect(load(yamlOf(head))).not.toHaveProperty('admin');
});

test('[text 6] characters that YAML does not print are written as escapes', () => {
  const head = frontmatter(postOf({ lang: '\u007f\u0085\u2028\u2029\ufeff\ufffe\uffff' }));
  expect(head).toContain('lang: "\\u007f\\u0085\\u2028\\u2029\\ufeff\\ufffe\\uffff"\n');
});

/** Removes escaped characters and autolinks. */
const unescaped = (markdown: string): string =>
  markdown.replace(/\\[!-/:-@[-`{-~]/g, '\u00b7').replace(/<https?:[^>\s]*>/g, '');

const OBSIDIAN_SYNTAX = [/%%/, /==/, /\$/, /\[\[/, /#[\p{L}\p{N}_/-]/u, /\^[\w-]+ *$/m];

test('[text 1] Obsidian syntax that an author wrote is escaped', () => {
  const check = (text: string): void => {
    for (const markdown of [
      escapeParagraphs(createMarkdownContext('obsidian'), text, []),
      escapeSpan(createMarkdownContext('obsidian'), text),
    ]) {
      for (const syntax of OBSIDIAN_SYNTAX) expect(unescaped(markdown)).not.toMatch(syntax);
    }
  };
  hostileFragments.forEach(check);
  fc.assert(fc.property(hostileText, check), { numRuns: cases(500, 2000) });
});

// biome-ignore format: a list of names
const EXECUTABLE_LANGUAGES = [
  'dataviewjs', 'dataview', 'DataviewJS', 'tasks', 'query', 'mermaid', 'Mermaid', 'ad-note', 'ad-', 'chart', 'button', 'base', 'meta-bind', 'js-engine', 'run-js', 'templater',
  'excalidraw', 'leaflet', 'tikz', 'plantuml', 'math', 'geojson', 'topojson', 'stl', 'svg', 'embed', 'iframe', 'js dataviewjs', 'js{run}', 'js=', 'sqlseal', 'constructor', '__proto__', '', ' ',
];

const withCode = (language: string): string =>
  markdownOf({ type: 'code', language, text: 'dv.io.load("secret")' }, 'obsidian');

const markdownOf = (block: ArticleBlock, format: 'markdown' | 'obsidian'): string =>
  renderList(presentPost, conversationOf(postOf({ article: { title: 'Title', blocks: [block] } })), { format }).body;

describe('[text 2] the language of a fence', () => {
  test.each(EXECUTABLE_LANGUAGES)('a fence omits the language %j, in Markdown too', (language) => {
    for (const markdown of [withCode(language), markdownOf({ type: 'code', language, text: 'x' }, 'markdown')])
      expect(markdown).toMatch(/\n```\n/);
  });

  test('a hostile language is never executable in Obsidian', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom('', 'dataviewjs', 'mermaid'), (text, prefix) => {
        const language = `${prefix}${text}`;
        for (const flat of [readWithMdast(withCode(language)), readWithMarkdownIt(withCode(language))])
          for (const { kind } of nodesOf(flat, 'code'))
            expect(kind).toMatch(/^code (?!dataviewjs|mermaid)[a-z0-9+#-]*$/);
      }),
      { numRuns: cases(200, 500) },
    );
  });
});
