// Mounts a disk of a given size in memory, for tests of full and read-only disks.
import { execFileSync } from 'node:child_process';

export interface MountedDisk {
  readonly folder: string;
  remount(option: 'ro' | 'rw'): void;
  unmount(): void;
}

const mount = (...args: readonly string[]): void => void execFileSync('mount', args, { stdio: 'pipe' });

/** @param folder exists @returns undefined if this user may not mount */
export const mountMemory = (folder: string, bytes: number): MountedDisk | undefined => {
  try {
    mount('-t', 'tmpfs', '-o', `size=${bytes}`, 'postern-test', folder);
  } catch {
    return undefined;
  }
  return {
    folder,
    remount: (option) => mount('-o', `remount,${option}`, folder),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  };
};
