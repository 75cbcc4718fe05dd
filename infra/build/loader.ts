// Lambda starts this file, index.cjs, which runs the bundle beside it, with the code that infra/local/compile-bundles.ts
// compiled for the same Node, if there is any. V8 refuses the code of another version, build or flag of Node.

const { readFileSync } = process.getBuiltinModule('node:fs');
const { wrap } = process.getBuiltinModule('node:module');
const { Script } = process.getBuiltinModule('node:vm');

const filename = `${__dirname}/bundle.cjs`;
const source = readFileSync(filename);

/** Ends with the checksum of the source in 4 bytes, because V8 compares only the length of the source. */
const compiled = (): { cachedData?: Buffer } => {
  try {
    const file = readFileSync(`${filename}.${process.version}-${process.arch}`);
    const isOfSource = file.readUInt32LE(file.length - 4) === process.getBuiltinModule('node:zlib').crc32(source);
    return isOfSource ? { cachedData: file.subarray(0, -4) } : {};
  } catch {
    return {}; // There is none for this Node.
  }
};

const columnOffset = -wrap('|').indexOf('|');
const script = new Script(wrap(source.toString('latin1')), { filename, columnOffset, ...compiled() });
script.runInThisContext()(exports, require, module, filename, __dirname);
