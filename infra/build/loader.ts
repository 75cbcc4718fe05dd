// Lambda starts this file, index.cjs, which runs the bundle beside it, with the code that infra/local/compile-bundles.ts
// compiled for the same Node, if there is any. V8 refuses the code of another version, build or flag of Node.
import { checkedCode } from './checked-code.ts';

const { readFileSync } = process.getBuiltinModule('node:fs');

const filename = `${__dirname}/bundle.cjs`;

const compiled = (): { readonly source: Buffer; readonly cachedData: Buffer } | undefined => {
  try {
    const file = readFileSync(`${filename}.${process.version}-${process.arch}`);
    const source = readFileSync(filename);
    const cachedData = checkedCode(file, source);
    return cachedData && { source, cachedData };
  } catch {
    return undefined; // There is none for this Node.
  }
};

const code = compiled();
/**
 * Lambda chooses the patch of Node, so only a start knows whether there is code for it, and V8 refuses in silence. Lambda would
 * put a line of `console` into a line of its own, where queries do not find its members.
 */
const logStart = (fate: 'taken' | 'refused' | 'none'): void => {
  const fields = { event: 'start', node: process.version, compiled_code: fate };
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level: 'info', ...fields })}\n`);
};

if (code === undefined) {
  logStart('none');
  module.exports = require(filename);
} else {
  const { wrap } = process.getBuiltinModule('node:module');
  const options = { filename, columnOffset: -wrap('|').indexOf('|'), cachedData: code.cachedData };
  const script = new (process.getBuiltinModule('node:vm').Script)(wrap(code.source.toString('latin1')), options);
  logStart(script.cachedDataRejected ? 'refused' : 'taken');
  script.runInThisContext()(exports, require, module, filename, __dirname);
}
