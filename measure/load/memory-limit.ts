// Starts a program with a limit of memory, as in a container: in a cgroup if this machine lets us make one, else watched.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface CgroupVersion {
  readonly name: string;
  readonly folder: string;
  /** Marks a folder in which groups of memory can be made. */
  readonly marker: string;
  readonly limitFile: string;
}

const versions: readonly CgroupVersion[] = [
  { name: 'cgroup v2', folder: '/sys/fs/cgroup', marker: 'cgroup.subtree_control', limitFile: 'memory.max' },
  {
    name: 'cgroup v1',
    folder: '/sys/fs/cgroup/memory',
    marker: 'memory.limit_in_bytes',
    limitFile: 'memory.limit_in_bytes',
  },
];

export interface LimitedProcess {
  readonly child: ChildProcess;
  /** `cgroup v2`, `cgroup v1` or `watched`. */
  readonly kind: string;
  /** The largest resident memory so far, in bytes. */
  peak(): number;
  /** Waits for the end of the process. */
  close(): Promise<void>;
}

const makeGroup = (bytes: number): (CgroupVersion & { readonly path: string }) | undefined => {
  for (const version of versions) {
    const path = join(version.folder, `postern-strangers-${process.pid}`);
    try {
      if (!existsSync(join(version.folder, version.marker))) continue;
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, version.limitFile), String(bytes));
      return { ...version, path };
    } catch {
      // Another user, or a group without the controller of memory.
    }
  }
  return undefined;
};

const WATCH_MILLISECONDS = 20;

const peakOf = (pid: number | undefined): number => {
  try {
    return 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // the process has ended
  }
};

/** @param bytes of memory, beyond which the process is killed */
export const startLimited = (
  command: string,
  args: readonly string[],
  bytes: number,
  options: SpawnOptions,
): LimitedProcess => {
  const group = makeGroup(bytes);
  const child =
    group === undefined
      ? spawn(command, args, options)
      : spawn(
          '/bin/sh',
          ['-c', 'echo $$ > "$0" && exec "$@"', join(group.path, 'cgroup.procs'), command, ...args],
          options,
        );
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
    if (group === undefined && peak > bytes) child.kill('SIGKILL');
  }, WATCH_MILLISECONDS);
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  return {
    child,
    kind: group?.name ?? 'watched',
    peak: () => peak,
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
      clearInterval(watch);
      if (group !== undefined) rmdirSync(group.path);
    },
  };
};
