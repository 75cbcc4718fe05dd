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

/** @param fields value and bytes of each field, little-endian */
const record = (fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes);
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
    const common = [
      [VERSION, 2],
      [UTF8_FLAG, 2],
      [isStored ? STORED : DEFLATED, 2],
      [0, 2],
      [FIRST_DAY, 2],
      [crc32(bytes), 4],
      [data.length, 4],
      [bytes.length, 4],
      [path.length, 2],
      [0, 2],
    ] as const;
    const local = record([[LOCAL_HEADER, 4], ...common]);
    // Comment, disk, attributes, and the place of the local header.
    const place = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const;
    directory.push(record([[CENTRAL_HEADER, 4], [VERSION, 2], ...common, ...place]), path);
    bodies.push(local, path, data);
    offset += local.length + path.length + data.length;
  }
  const central = Buffer.concat(directory);
  const { length: count } = files;
  const end = [
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [central.length, 4],
    [offset, 4],
    [0, 2],
  ] as const;
  return Buffer.concat([...bodies, central, record([[END_OF_CENTRAL, 4], ...end])]);
};
