// Runs a bundle once, as a new instance of Lambda: `node invoke-bundle.ts DIST FUNCTION`, in the environment of the function.
// Reads the event from standard input and writes the response to standard output.
import { text } from 'node:stream/consumers';
import { hostFunctions } from '../../infra/local/function-host.ts';
import { isLambdaName } from '../../shared/contract/lambdas.ts';

const [dist = '', name = ''] = process.argv.slice(2);
if (!isLambdaName(name)) throw new Error(`there is no function ${name}`);
const functions = hostFunctions(dist, process.env, () => undefined, [name]);
const response = await functions(name, JSON.parse(await text(process.stdin)));
// A connection to the store would keep the process alive.
process.stdout.write(JSON.stringify(response), () => process.exit());
