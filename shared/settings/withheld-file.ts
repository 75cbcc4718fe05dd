// Reads the file of the posts and accounts that the operator withholds, and reads it again after a change.
import { readFileSync, statSync } from 'node:fs';
import { errorKind } from '../model/json.ts';
import { createWithheld, parseWithheldText, type Withheld, type WithheldEntry } from '../model/withheld.ts';
import { env } from './environment-variables.ts';

export interface WithheldFile {
  /** The last valid list. */
  readonly entries: readonly WithheldEntry[];
  /** Says where the file is wrong, or why it is unreadable, if it is so since then. */
  readonly problem?: string;
}

/** Editors and `mv` replace a file, so its inode counts too. */
const versionOf = (file: string): string => {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
};

/**
 * @returns the state of the file: the same object until the file changes
 * @throws Error that names the entry, if the file is unreadable or wrong from the start
 */
export const openWithheldFile = (file: string): (() => WithheldFile) => {
  const read = (): { readonly version: string; readonly list: ReturnType<typeof parseWithheldText> } => {
    try {
      const version = versionOf(file);
      return { version, list: parseWithheldText(readFileSync(file, 'utf8')) };
    } catch (error) {
      return { version: '', list: { problem: `cannot be read: ${errorKind(error)}` } };
    }
  };
  const { list, version } = read();
  if ('problem' in list) throw new Error(`${env.withheldFile} ${file}: ${list.problem}`);
  let current = version;
  let state: WithheldFile = { entries: list };

  const hasChanged = (): boolean => {
    try {
      return versionOf(file) !== current;
    } catch {
      return current !== ''; // the file is unreadable
    }
  };

  return () => {
    if (!hasChanged()) return state;
    const next = read();
    current = next.version;
    state = 'problem' in next.list ? { entries: state.entries, problem: next.list.problem } : { entries: next.list };
    return state;
  };
};

/**
 * A file that becomes wrong is not reported here, because several functions follow it: the local service logs it.
 *
 * @param file undefined: nothing is withheld
 * @param now milliseconds since the epoch
 * @returns what is withheld at the present, by the last valid list
 * @throws Error as openWithheldFile
 */
export const followWithheldFile = (file: string | undefined, now: () => number): (() => Withheld) => {
  const read = file === undefined ? undefined : openWithheldFile(file);
  let entries = read?.().entries ?? [];
  let withheld = createWithheld(entries, now);
  return () => {
    const latest = read === undefined ? entries : read().entries;
    if (latest !== entries) withheld = createWithheld(latest, now);
    entries = latest;
    return withheld;
  };
};
