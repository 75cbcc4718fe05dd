// Gives all workers of a run one temporary folder, so that what one test file builds, the others of the run can use.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the folder, which is removed after the run. */
    readonly runFolder: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'postern-tests-'));

export const setup = ({ provide }: TestProject): void => provide('runFolder', folder);

export const teardown = (): void => rmSync(folder, { recursive: true, force: true });
