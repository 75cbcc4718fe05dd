// [D1] Texts of others meet many regular expressions; none may need more than a straight walk over 100 kB.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInk, type Dialect, fenced, inline, paragraphs, quoted } from '../../shared/render/escape.ts';

const SHARED = new URL('../../shared/', import.meta.url).pathname;
const LENGTH = 100_000;
/** A straight walk takes a few milliseconds; one that starts again at every character takes many seconds. */
const MOST_MILLISECONDS = 1000;

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Comments, strings and templates, which are skipped, or an expression where one may begin. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};+>]\s*|\breturn\s+)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

const literalsIn = (file: string): Found[] =>
  [...readFileSync(join(SHARED, file), 'utf8').matchAll(TOKEN)].flatMap(([, source, flags = '']) =>
    source === undefined ? [] : [{ where: file, source, flags }],
  );

/** live/ reads the operator's settings alone. */
const found = readdirSync(SHARED, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('live/'))
  .flatMap(literalsIn);

const fill = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length));

// biome-ignore format: a list of characters
const COMMON = [' ', '\t', '\n', 'a', 'A', '0', '_', '-', '=', '*', '`', '~', '<', '>', '[', ']', '(', '"', "'", '/', ':', '.', '\\', '%', '&', '|', '@', ';', '#', '\r', '\u00a0', '\u0301', '🐋', ' \n', 'a ', ', '];

/** Characters and words that the expression itself names, each repeated, at the start and after a line of its own. */
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
  const began = performance.now();
  work();
  return performance.now() - began;
};

test('[D1] the scan sees the expressions', () => {
  expect(found.length).toBeGreaterThan(50);
  for (const { source, flags } of found) expect(() => new RegExp(source, flags)).not.toThrow();
});

test('[D1] every regular expression walks 100 kB of hostile text in bounded time', () => {
  const slow: string[] = [];
  for (const expression of found) {
    const everywhere = new RegExp(
      expression.source,
      expression.flags.includes('g') ? expression.flags : `${expression.flags}g`,
    );
    for (const unit of attacksOn(expression)) {
      for (const attack of [fill(unit), `a${fill(unit)}\u0000`, `a\n${fill(unit)}\u0000`]) {
        const milliseconds = timed(() => attack.replace(everywhere, ''));
        if (milliseconds > MOST_MILLISECONDS)
          slow.push(
            `${expression.where}: /${expression.source}/ on ${JSON.stringify(unit)}: ${Math.round(milliseconds)} ms`,
          );
      }
      if (slow.length > 20) break;
    }
  }
  expect(slow).toEqual([]);
});

test.each<Dialect>(['markdown', 'obsidian'])('[D1] escaping 100 kB takes bounded time in %s', (dialect) => {
  const attacks = [
    ...COMMON,
    '*a',
    '_a ',
    '~~',
    '`a',
    '<a@',
    '&a',
    '[a](',
    'http://',
    'www.',
    'http://*',
    '- ',
    '1. ',
    '> ',
    '|-',
    '\u202e',
    '\ud800',
    '🏴\u{e0067}',
    '\u0085',
    '# ',
    '^a',
    '%%',
    'a*b ',
  ];
  for (const unit of attacks) {
    const attack = `a${fill(unit)}a`;
    const milliseconds = timed(() => {
      const ink = createInk(dialect);
      quoted(paragraphs(ink, attack, ['https://known.example/x', 'http://h']));
      inline(ink, attack);
      fenced(ink, attack);
    });
    expect(milliseconds, JSON.stringify(unit)).toBeLessThan(3 * MOST_MILLISECONDS);
  }
});
