// Creates a folder for one test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The folder is removed when the test ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
