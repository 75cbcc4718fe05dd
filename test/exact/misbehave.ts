// Sends the requests of a caller who misbehaves until the process is killed.
import { misbehaviours, send } from './isolation-requests.ts';

const { origin, misbehaviour, ...given } = JSON.parse(process.argv[2] ?? '');
const row = misbehaviours.get(misbehaviour);
if (row === undefined) throw new Error(`there is no misbehaviour ${misbehaviour}`);
const { requestAt, networks = 1, concurrency = Number(given.concurrency) } = row;

let turns = 0;
const misbehave = async (from: string): Promise<never> => {
  for (;;) await send(origin, requestAt(turns++), from);
};
for (let index = 0; index < networks * concurrency; index += 1) void misbehave(`127.66.${index % networks}.6`);
await send(origin, { target: '/' }, '127.66.0.6');
process.send?.('started');
