// Reads a ZIP archive by its central directory, apart from the code that writes it.
import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly isStored: boolean;
  readonly bytes: Buffer;
}

const END_BYTES = 22;

/** @throws if the archive is broken */
export const readZip = (archive: Buffer): readonly ZipEntry[] => {
  const end = archive.length - END_BYTES;
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of the directory');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    const method = archive.readUInt16LE(at + 10);
    const [size, length] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    if (archive.toString('utf8', local + 30, local + 30 + length) !== name)
      throw new Error(`${name}: another local name`);
    const start = local + 30 + length + archive.readUInt16LE(local + 28);
    const data = archive.subarray(start, start + size);
    at += 46 + length;
    return { name, isStored: method === 0, bytes: method === 0 ? data : inflateRawSync(data) };
  });
};
