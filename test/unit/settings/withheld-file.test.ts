// Follows the list of withheld subjects in a file that an operator replaces, breaks and removes.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followWithheldFile, openWithheldFile } from '../../../shared/settings/withheld-file.ts';

const withheldFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-withheld-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'withheld.json');
  const write = (list: unknown): void => {
    writeFileSync(`${file}.new`, typeof list === 'string' ? list : JSON.stringify(list));
    renameSync(`${file}.new`, file);
  };
  return { file, write };
};

test('[withheld 4] openWithheldFile() keeps the last valid list while the file is wrong or absent', () => {
  const { file, write } = withheldFile();
  write([{ post: '20', reason: 'court' }]);
  const read = openWithheldFile(file);
  const first = read();
  expect(first).toEqual({ entries: [expect.objectContaining({ reason: 'court' })] });
  expect(read()).toBe(first);
  write('[');
  const wrong = read();
  expect(wrong).toEqual({
    entries: first.entries,
    problem: expect.stringMatching(/^line 1, column 2: expected a value/),
  });
  expect(read()).toBe(wrong);
  rmSync(file);
  const absent = read();
  expect(absent).toEqual({ entries: first.entries, problem: 'cannot be read: ENOENT' });
  expect(read()).toBe(absent);
  write([]);
  expect(read()).toEqual({ entries: [] });
});

test('openWithheldFile() throws for a file that is absent from the start', () => {
  const { file } = withheldFile();
  expect(() => openWithheldFile(file)).toThrow(/^WITHHELD_FILE .*: cannot be read: ENOENT$/);
});

test('followWithheldFile() follows a file, and withholds nothing without one', () => {
  const { file, write } = withheldFile();
  write([{ post: '20', reason: 'court' }]);
  const now = (): number => 0;
  const isWithheld = (read: ReturnType<typeof followWithheldFile>): boolean => read().post('20') !== undefined;
  const reads = [followWithheldFile(file, now), followWithheldFile(undefined, now)];
  expect(reads.map(isWithheld)).toEqual([true, false]);
  write([]);
  expect(reads.map(isWithheld)).toEqual([false, false]);
});
