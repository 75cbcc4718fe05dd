// [bounds 1] Tests that every regular expression for third-party text takes linear time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { linkPlacesOf } from '../../shared/render/content/links.ts';
import { fenced } from '../../shared/render/markdown/article.ts';
import { createMarkdownContext, type Dialect } from '../../shared/render/markdown/context.ts';
import { blockquote, escapeParagraphs, escapeSpan } from '../../shared/render/markdown/escape.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const KNOWN = [{ url: 'https://known.example/x' }, { url: 'http://h' }];
const LENGTH = 25_000;
/** Linear matching takes a few milliseconds. Growth is measured only for expressions that take as long as quadratic matching. */
const SUSPICIOUS_MILLISECONDS = 25;
/** For eight times the text, linear matching takes eight times the time and quadratic matching 64 times. */
const MOST_GROWTH = 24;

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Matches comments, strings and templates, which are skipped, or a regular expression literal. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};+>]\s*|\breturn\s+)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

const literalsIn = (file: string): Found[] =>
  [...readFileSync(join(SHARED, file), 'utf8').matchAll(TOKEN)].flatMap(([, source, flags = '']) =>
    source === undefined ? [] : [{ where: file, source, flags }],
  );

/** composition/ and settings/ read only settings of the operator; publish/ reads only documents of the project. */
const found = readdirSync(SHARED, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(?:composition|settings|publish)\//.test(file))
  .flatMap(literalsIn);

const fill = (unit: string, length = LENGTH): string => unit.repeat(Math.ceil(length / unit.length));

// biome-ignore format: a list of characters
const COMMON = [' ', '\t', '\n', 'a', 'A', '0', '_', '-', '=', '*', '`', '~', '<', '>', '[', ']', '(', '"', "'", '/', ':', '.', '\\', '%', '&', '|', '@', ';', '#', '\r', '\u00a0', '\u0301', '🐋', ' \n', 'a ', ', '];

/** Repeats characters and words of the expression, at the start of the text and after a line end. */
const attacksOn = ({ source }: Found): Set<string> => {
  const words =
    source
      .replace(/\\[nrtsSdDwWbB]|\\u\{?[0-9a-fA-F]+\}?|\\p\{\w+\}/g, ' ')
      .match(/(?:\\.|[A-Za-z0-9:/.@,;=&#`~-])+/g) ?? [];
  const named = words.map((word) => word.replaceAll('\\', ''));
  const units = new Set([
    ...COMMON,
    ...named,
    ...named.flatMap((word) => [`${word} `, `${word}\n`, ` ${word}`]),
    ...named.join(''),
  ]);
  units.delete('');
  return units;
};

const timed = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** The shortest of several runs, because other processes slow runs down. */
const undisturbed = (work: () => void): number => Math.min(timed(work), timed(work), timed(work));

/**
 * Linear matching of half of the text can take one step of the CPU clock, 4 ms, and that of a sixteenth none.
 *
 * @returns true if the time grows faster than the text; uses parts of the text, so that quadratic matching ends too
 */
const outgrowsText = (workOn: (length: number) => void): boolean => {
  if (timed(() => workOn(LENGTH)) < SUSPICIOUS_MILLISECONDS) return false;
  const grows = (): boolean => {
    const half = undisturbed(() => workOn(LENGTH / 2));
    return half >= SUSPICIOUS_MILLISECONDS && half > MOST_GROWTH * undisturbed(() => workOn(LENGTH / 16));
  };
  // Quadratic matching grows in every measurement, a collection of garbage only in one.
  return grows() && grows() && grows();
};

const isSlow = (expression: RegExp, unit: string): boolean =>
  [
    ['', ''],
    ['a', '\u0000'],
    ['a\n', '\u0000'],
  ].some(([before, after]) =>
    outgrowsText((length) => void `${before}${fill(unit, length)}${after}`.replace(expression, '')),
  );

test('[bounds 1] the scan finds the regular expressions', () => {
  expect(found.length).toBeGreaterThan(50);
  for (const { source, flags } of found) expect(() => new RegExp(source, flags)).not.toThrow();
});

test.each([...Map.groupBy(found, ({ where }) => where)])(
  '[bounds 1] every regular expression of %s matches hostile text in bounded time',
  (_, expressions) => {
    for (const expression of expressions) {
      const { source, flags } = expression;
      const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
      const slow = [...attacksOn(expression)].find((unit) => isSlow(everywhere, unit));
      expect(slow, `/${source}/ on ${JSON.stringify(slow)}`).toBeUndefined();
    }
  },
);

// biome-ignore format: a list of beginnings
const MARKUP = ['*a', '_a ', '~~', '`a', '<a@', '&a', '[a](', 'http://', 'www.', 'http://*', '- ', '1. ', '> ', '|-', '\u202e', '\ud800', '🏴\u{e0067}', '\u0085', '# ', '^a', '%%', 'a*b '];

describe.each<Dialect>(['markdown', 'obsidian'])('[bounds 1] escaping in %s takes bounded time', (dialect) => {
  test.each([...COMMON, ...MARKUP].map((unit) => [JSON.stringify(unit), unit] as const))('of %s', (_, unit) => {
    const isTooSlow = outgrowsText((length) => {
      const attack = `a${fill(unit, length)}a`;
      const context = createMarkdownContext(dialect);
      blockquote(escapeParagraphs(context, attack, linkPlacesOf({ text: attack, links: KNOWN })));
      escapeSpan(context, attack);
      fenced(context, attack);
    });
    expect(isTooSlow).toBe(false);
  });
});
