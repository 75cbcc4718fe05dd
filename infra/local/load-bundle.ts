// Loads a bundle for the local service with a process object of its own. The compiled code is kept beside the bundle,
// because compiling all bundles takes longer than the rest of the start.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { Script } from 'node:vm';

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', 'process'] as const;
const HEAD = `(function (${PARAMETERS.join(', ')}) {`;

type Body = (
  exports: object,
  require: (id: string) => unknown,
  module: { readonly exports: object },
  filename: string,
  directory: string,
  process: object,
) => void;

interface Source {
  readonly text: string;
  /** The compiled code of this text. */
  readonly compiled: Buffer | undefined;
}

const BUNDLE = '.cjs';
const COMPILED = '.compiled';

/** @returns file name to content, of all bundles in a folder */
const readSources = (folder: string): ReadonlyMap<string, Source> => {
  const names = readdirSync(folder);
  return new Map(
    names
      .filter((name) => extname(name) === BUNDLE)
      .map((name) => [
        name,
        {
          text: readFileSync(join(folder, name), 'utf8'),
          compiled: names.includes(`${name}${COMPILED}`) ? readFileSync(join(folder, `${name}${COMPILED}`)) : undefined,
        },
      ]),
  );
};

/** V8 ignores compiled code of another version. Another process can read the file at any time, so it appears at once. */
const keepCompiled = (script: Script, filename: string): void => {
  try {
    const unfinished = `${filename}.${process.pid}`;
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, `${filename}${COMPILED}`);
  } catch {
    // The folder is gone or belongs to another user; the next start compiles again.
  }
};

/**
 * Reads all files of the folder now, because it may be removed before a bundle needs the second one.
 *
 * @param file the path of a bundle
 * @returns the exports
 * @throws the error of a bundle that does not start
 */
export const loadBundle = (file: string, lambdaProcess: object): object => {
  const folder = dirname(file);
  const sources = readSources(folder);
  const requireFromNode = createRequire(file);
  const run = (name: string, { text, compiled }: Source): object => {
    const filename = join(folder, name);
    const script = new Script(`${HEAD}${text}\n})`, {
      filename,
      columnOffset: -HEAD.length,
      ...(compiled && { cachedData: compiled }),
    });
    const body: Body = script.runInThisContext();
    const module = { exports: {} };
    const load = (id: string): unknown => {
      const source = id.startsWith('./') ? sources.get(id.slice(2)) : undefined;
      return source === undefined ? requireFromNode(id) : run(id.slice(2), source);
    };
    body(module.exports, load, module, filename, folder, lambdaProcess);
    if (compiled === undefined || script.cachedDataRejected) keepCompiled(script, filename);
    return module.exports;
  };
  const name = basename(file);
  return run(name, sources.get(name) ?? { text: readFileSync(file, 'utf8'), compiled: undefined });
};
