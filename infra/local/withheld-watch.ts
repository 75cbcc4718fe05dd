// Watches the file of the withheld posts and accounts for the local service: forgets its cache after a change, and logs a
// file that has become unreadable or wrong. The functions read the file themselves.
import { createJsonLog, elapsedClock } from '../../shared/composition/environment.ts';
import { openWithheldFile } from '../../shared/settings/withheld-file.ts';
import { createSharedCache, type SharedCache } from './shared-cache.ts';

/** Requests check the file too, so only a line of the log waits for it. */
const CHECK_MILLISECONDS = 1000;

export interface WithheldWatch {
  readonly cache: SharedCache;
  close(): void;
}

/**
 * @param writeLog receives lines with their ends
 * @throws Error if the file is unreadable or wrong
 */
export const watchWithheld = (file: string, writeLog: (text: string) => void): WithheldWatch => {
  const log = createJsonLog({ write: (line) => writeLog(`${line}\n`), clock: Date.now });
  const read = openWithheldFile(file);
  let known = read();
  let cache = createSharedCache(elapsedClock);

  const check = (): void => {
    const state = read();
    if (state === known) return;
    // An answer that is on its way is stored in the cache that is forgotten here.
    if (state.entries !== known.entries) cache = createSharedCache(elapsedClock);
    known = state;
    if (state.problem === undefined) log({ level: 'info', event: 'withheld', count: state.entries.length });
    else log({ level: 'error', event: 'withheld_file', file, cause: state.problem });
  };

  const timer = setInterval(check, CHECK_MILLISECONDS).unref();
  return {
    cache: (...request) => {
      check();
      return cache(...request);
    },
    close: () => clearInterval(timer),
  };
};
