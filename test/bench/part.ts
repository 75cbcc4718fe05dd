// Measures one part and sends its rows to the process that has forked this one.
import { parts } from './parts.ts';

const [name = ''] = process.argv.slice(2);
const measure = parts[name];
if (measure === undefined || process.send === undefined) throw new Error('npm run measure -- bench starts this file');
process.send(await measure(), () => process.exit());
