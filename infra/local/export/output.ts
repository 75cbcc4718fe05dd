// Writes the lines of an export to standard output or to a file.
import { constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export interface Output {
  /** Resolves when the text is written, so that a slow reader slows the export down. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** The reader of standard output has gone, as after `head`. */
export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';

export const standardOutput = (): Output & { readonly isFile: boolean } => {
  // Each failed write rejects; without a listener the event would also end the process.
  process.stdout.on('error', () => undefined);
  return {
    write(text) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
      return promise;
    },
    close: async () => undefined,
    isFile: fstatSync(process.stdout.fd).isFile(),
  };
};

const writeAt = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
};

/** Cuts the file off and continues there. A missing file is created. @param bytes the size to keep */
export const fileOutput = async (name: string, bytes: number): Promise<Output> => {
  const file = await open(name, constants.O_RDWR | constants.O_CREAT);
  await file.truncate(bytes);
  let position = bytes;
  return {
    async write(text) {
      const content = Buffer.from(text);
      await writeAt(file, content, position);
      position += content.length;
    },
    close: () => file.close(),
  };
};
