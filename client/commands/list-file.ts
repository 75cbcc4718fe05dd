// Reads files of lines: exports, and lists such as that of --from. People and other programs write lists: with comments, with
// the line ends of Windows, and in UTF-16 with its mark, which PowerShell 5 writes for `>`.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandError } from '../../infra/command/output.ts';
import { errorMessage } from '../../shared/model/json.ts';

export const LINE_FEED = 0x0a;

/** Yields the lines with their line ends. The last one can be without. Memory: one line. */
export async function* linesIn(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const value of createReadStream(file)) {
    const chunk: Buffer = value;
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end + 1)]);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

export interface ListLine {
  /** Without spaces around it, and not empty. */
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** It has no line end, so the file can have been broken off in it. */
  readonly isLast: boolean;
}

/** The byte order mark, which the decoder removes. @default UTF-8, with or without its mark */
const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
};

const undecodable = (file: string): CommandError =>
  new CommandError(`${file} is no text in UTF-8, nor in UTF-16 with its byte order mark. Save it as UTF-8.`);

/** @throws CommandError if the bytes are no text */
const createDecoder = (file: string) => {
  let start = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const decode = (bytes: Uint8Array, stream: boolean): string => {
    try {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      return decoder.decode(bytes, { stream });
    } catch {
      throw undecodable(file);
    }
  };
  return {
    read(chunk: Uint8Array): string {
      if (decoder !== undefined) return decode(chunk, true);
      // A pipe can give one byte, and a mark has two.
      start = Buffer.concat([start, chunk]);
      if (start.length < 2) return '';
      // UTF-16 without its mark, of which UTF-8 would make unreadable lines.
      if (start.indexOf(0) === 0 || start.indexOf(0) === 1) throw undecodable(file);
      return decode(start, true);
    },
    end: (): string => decode(decoder === undefined ? start : Buffer.alloc(0), false),
  };
};

/** Yields the lines apart from comments, which begin with `#`. Memory: one line. @throws CommandError */
export async function* listLines(file: string): AsyncGenerator<ListLine> {
  const decoder = createDecoder(file);
  let rest = '';
  let number = 0;
  const shown = (line: string, isLast: boolean): readonly ListLine[] => {
    const text = line.trim();
    number += 1;
    return text === '' || text.startsWith('#') ? [] : [{ text, number, isLast }];
  };
  for await (const chunk of createReadStream(file)) {
    const lines = (rest + decoder.read(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield* shown(line, false);
  }
  try {
    rest += decoder.end();
  } catch (error) {
    // An item of an export can be broken off within a character.
    if (!rest.startsWith('{')) throw error;
  }
  yield* shown(rest, true);
}

/** Reads a file to its end, so that it is refused before its first line has an effect. @throws CommandError */
export const checkListFile = async (file: string): Promise<void> => {
  try {
    // A pipe can be read only once.
    if (!(await stat(file)).isFile()) return;
    for await (const _ of listLines(file));
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`${file} cannot be read: ${errorMessage(error)}`);
  }
};
