// Puts a checksum of compiled code and of its source at the end of the file with the code. V8 compares only the length of the
// source, and it ends the process when it runs damaged code. infra/build/loader.ts contains this file.

const BYTES = 4;

const checksum = (code: Buffer, source: Buffer | string): number => {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  return crc32(code, crc32(source));
};

export const withChecksum = (code: Buffer, source: Buffer | string): Buffer => {
  const end = Buffer.alloc(BYTES);
  end.writeUInt32LE(checksum(code, source));
  return Buffer.concat([code, end]);
};

/** @returns the code, or undefined if it is damaged or belongs to another source */
export const checkedCode = (file: Buffer, source: Buffer): Buffer | undefined => {
  if (file.length < BYTES) return undefined;
  const code = file.subarray(0, -BYTES);
  return file.readUInt32LE(code.length) === checksum(code, source) ? code : undefined;
};
