// Lists the faults of the disk below the embedded store that `npm run measure -- faults` plants.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ClassicLevel } from 'classic-level';
import type { MountedDisk } from '../../test/support/mount-memory.ts';
import { storeProcessOf } from '../../test/support/store-process.ts';

/** The disk of a store that is open. */
export interface Disk extends Pick<MountedDisk, 'folder'> {
  /** Undefined: this user may not mount. */
  readonly mounted: MountedDisk | undefined;
}

export interface DiskFault {
  readonly name: string;
  /** The fault needs a disk of its own. */
  readonly needsMount?: true;
  /** @returns a function that ends the fault */
  plant(disk: Disk): Promise<() => void | Promise<void>>;
}

/** Ends the process of the store, which starts again after a second. */
const killStore = ({ folder }: Disk): void => void process.kill(storeProcessOf(folder), 'SIGKILL');

const RETRY_MILLISECONDS = 20;

/** @returns the result of the first attempt that succeeds */
const untilDone = async <T>(attempt: () => T | Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await setTimeout(RETRY_MILLISECONDS);
    }
  }
};

const CHUNK = Buffer.alloc(4096);

const fill = (folder: string): string => {
  const filler = join(folder, 'filler');
  try {
    for (;;) writeFileSync(filler, CHUNK, { flag: 'a' });
  } catch {
    return filler; // full
  }
};

export const diskFaults: readonly DiskFault[] = [
  {
    name: 'disk full',
    needsMount: true,
    async plant(disk) {
      const filler = fill(disk.folder);
      // LevelDB has room in the last block of its log; a new start has not.
      killStore(disk);
      return () => rmSync(filler);
    },
  },
  {
    name: 'disk read-only',
    needsMount: true,
    async plant(disk) {
      killStore(disk);
      // No file may be open for writing.
      await untilDone(() => disk.mounted?.remount('ro'));
      return () => disk.mounted?.remount('rw');
    },
  },
  {
    name: 'disk locked by a process',
    async plant(disk) {
      killStore(disk);
      const level = await untilDone(async () => {
        const other = new ClassicLevel(join(disk.folder, 'dynamodb'));
        await other.open();
        return other;
      });
      return () => level.close();
    },
  },
  {
    name: 'disk gone',
    async plant({ folder }) {
      const store = join(folder, 'dynamodb');
      renameSync(store, `${store}.away`);
      return () => renameSync(`${store}.away`, store);
    },
  },
  {
    name: 'disk damaged',
    async plant(disk) {
      const current = join(disk.folder, 'dynamodb/CURRENT');
      killStore(disk);
      const content = readFileSync(current);
      writeFileSync(current, 'MANIFEST-999999');
      return () => writeFileSync(current, content);
    },
  },
  {
    // A process that waits for its disk answers no caller; a process that is stopped does not either.
    name: 'disk without an answer',
    async plant({ folder }) {
      const pid = storeProcessOf(folder);
      process.kill(pid, 'SIGSTOP');
      return () => void process.kill(pid, 'SIGCONT');
    },
  },
  {
    name: 'process of the store killed',
    async plant(disk) {
      killStore(disk);
      return () => undefined;
    },
  },
];
