// Loads a compiled fuzz target with its counters.
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COUNTERS, type CompiledTarget, compileTarget } from './instrument.ts';
import type { FuzzTarget } from './target.ts';

export interface LoadedTarget {
  readonly target: FuzzTarget;
  readonly counters: Uint32Array;
  readonly compiled: CompiledTarget;
}

/** @param name of a file in test/fuzz/targets */
export const loadTarget = async (name: string): Promise<LoadedTarget> => {
  const compiled = await compileTarget(name);
  const counters = new Uint32Array(compiled.branches);
  Reflect.set(globalThis, COUNTERS, counters);
  // Beside the sources, so that Node finds the packages.
  const file = fileURLToPath(new URL(`./.${name}-${process.pid}.mjs`, import.meta.url));
  writeFileSync(file, compiled.code);
  try {
    const { target }: { readonly target: FuzzTarget } = await import(pathToFileURL(file).href);
    return { target, counters, compiled };
  } finally {
    rmSync(file);
  }
};
