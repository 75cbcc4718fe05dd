// Says what is wrong with a folder of the service, and what its operator can do.
import { errorKind, errorMessage } from '../../shared/model/json.ts';

export interface DiskTrouble {
  /** A sentence without its period. */
  readonly reason: string;
  readonly resolution: string;
}

/** The facts of an error. LevelDB has its own codes, and the text of the system in its message. */
export interface DiskError {
  readonly code: string;
  readonly message: string;
}

/** The code of a process of the store that ended without an error of the disk; the message is its signal or exit code. */
export const PROCESS_ENDED = 'PROCESS_ENDED';

const OTHER_FOLDER = 'set DATA_DIR to another folder';

interface Kind {
  /** In the code or the message of an error. */
  readonly pattern: RegExp;
  describe(folder: string, message: string): DiskTrouble;
}

const KINDS: readonly Kind[] = [
  {
    pattern: /PROCESS_ENDED/,
    describe: (folder, message) => ({
      reason: `the process of the store in ${folder} ended (${message})`,
      resolution: 'It is started again. If it ends again, check the memory and the disk of this machine.',
    }),
  },
  {
    pattern: /LEVEL_LOCKED/,
    describe: (folder) => ({
      reason: `${folder} is in use by another service`,
      resolution: `Stop the other service, or ${OTHER_FOLDER}.`,
    }),
  },
  {
    pattern: /ENOSPC|EDQUOT|No space left|quota exceeded|EFBIG|File too large/i,
    describe: (folder) => ({ reason: `the disk of ${folder} is full`, resolution: 'Free some space.' }),
  },
  {
    pattern: /EROFS|Read-only file system/i,
    describe: (folder) => ({
      reason: `the disk of ${folder} is read-only`,
      resolution: `Mount it with write access, or ${OTHER_FOLDER}.`,
    }),
  },
  {
    pattern: /EACCES|EPERM|Permission denied|Operation not permitted/i,
    describe: (folder) => ({
      reason: `this user has no write access to ${folder}`,
      resolution: `Run chown -R ${process.getuid?.() ?? 'USER'} ${folder}, or ${OTHER_FOLDER}.`,
    }),
  },
  {
    pattern: /STORE_VANISHED/,
    describe: (folder) => ({
      reason: `the store in ${folder} is gone`,
      resolution: 'Bring the folder back, or start the service again, which begins with an empty store.',
    }),
  },
  {
    pattern: /LEVEL_CORRUPTION|Corruption/,
    describe: (folder) => ({
      reason: `the store in ${folder} is damaged`,
      resolution:
        'Restore a copy, or move the folder away and start the service again, which begins with an empty store.',
    }),
  },
];

export const diskTrouble = ({ code, message }: DiskError, folder: string): DiskTrouble => {
  const text = `${code} ${message}`;
  const kind = KINDS.find(({ pattern }) => pattern.test(text));
  return (
    kind?.describe(folder, message) ?? {
      reason: `the store in ${folder} failed: ${message}`,
      resolution: `Check the disk, or ${OTHER_FOLDER}.`,
    }
  );
};

/** @returns the error with the text of its causes: LevelDB has the reason there */
export const diskErrorOf = (error: unknown): DiskError => {
  const cause = error instanceof Error && error.cause !== undefined ? diskErrorOf(error.cause) : undefined;
  return {
    code: [errorKind(error), ...(cause ? [cause.code] : [])].join(' '),
    message: [errorMessage(error), ...(cause ? [cause.message] : [])].join(': '),
  };
};
