// Writes a ZIP archive (APPNOTE 6.3.10 of PKWARE): no encryption, no ZIP64, names in UTF-8. The same files give the same bytes,
// because every file has the earliest time that the format knows.

/** A file of an archive. */
export interface ZipFile {
  /** Its path with `/`. Not checked: third-party text must not name files. */
  readonly name: string;
  readonly bytes: Buffer;
  /** The bytes are compressed already, or must be readable without a decoder. @default false */
  readonly isStored?: boolean;
}

const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
/** The names are UTF-8. */
const UTF8_FLAG = 0x0800;
/** 1 January 1980, 00:00. */
const FIRST_DAY = 0x0021;
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL = 0x06054b50;

/** Little-endian numbers of 2 or 4 bytes each. */
const numbers = (bytes: 2 | 4, ...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) buffer.writeUIntLE(value, index * bytes, bytes);
  return buffer;
};

/** @param files fewer than 65,535, together below 4 GB; they stay in this order */
export const writeZip = (files: readonly ZipFile[]): Buffer => {
  const { crc32, deflateRawSync } = process.getBuiltinModule('node:zlib');
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, isStored = false } of files) {
    const path = Buffer.from(name);
    const data = isStored ? bytes : deflateRawSync(bytes, { level: 9 });
    const common = Buffer.concat([
      numbers(2, VERSION, UTF8_FLAG, isStored ? STORED : DEFLATED, 0, FIRST_DAY),
      numbers(4, crc32(bytes), data.length, bytes.length),
      numbers(2, path.length, 0),
    ]);
    const local = [numbers(4, LOCAL_HEADER), common, path, data];
    bodies.push(...local);
    directory.push(
      numbers(4, CENTRAL_HEADER),
      numbers(2, VERSION),
      common,
      // Comment, disk, attributes, and the place of the local header.
      numbers(2, 0, 0, 0),
      numbers(4, 0, offset),
      path,
    );
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const central = Buffer.concat(directory);
  const { length: count } = files;
  return Buffer.concat([
    ...bodies,
    central,
    numbers(4, END_OF_CENTRAL),
    numbers(2, 0, 0, count, count),
    numbers(4, central.length, offset),
    numbers(2, 0),
  ]);
};
