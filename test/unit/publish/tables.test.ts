// Checks the tables of the documentation as Markdown.
import { expect, test } from 'vitest';
import { pageNames } from '../../../shared/publish/document.ts';
import { expandPlaceholders, pageFile, readPage } from '../../../shared/publish/pages/read-page.ts';

const DELIMITER_ROW = /^\|(?: --- \|)+$/;

const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

test.each(pageNames)('every table of the page %s has a heading for each column', (name) => {
  const lines = expandPlaceholders(pageFile(name), readPage(name)).split('\n');
  for (const [index, line] of lines.entries()) {
    if (!DELIMITER_ROW.test(line)) continue;
    const headings = cellsOf(lines[index - 1] ?? '');
    expect(headings).toHaveLength(cellsOf(line).length);
    expect(headings.filter((heading) => heading === '')).toEqual([]);
  }
});
