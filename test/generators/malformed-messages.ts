// Lists messages that are neither request nor notification nor response, with the id that their answer repeats.

const NESTED = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Lists the messages as text, because JSON.stringify cannot write all of their numbers and members. */
export const malformedMessages: readonly (readonly [message: string, id: unknown])[] = [
  // Ids
  ['{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":-9007199254740993,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
  // The envelope
  ['{"id":1,"method":"ping"}', 1],
  ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
  ['{"jsonrpc":"2.0","id":1}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":null}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', 1],
  ['{"jsonrpc":"2.0","method":7}', null],
  ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}', null],
  ['{}', null],
  ['null', null],
  ['"ping"', null],
  // Parameters
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1],
  [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${NESTED}}`, 1],
  ['{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}', null],
  // Messages that the SDK drops silently
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":"a"}}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":{}}}}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":9007199254740992}}}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/related-task":{}}}}', 1],
  // Malformed responses, whose ids belong to the server
  ['{"jsonrpc":"2.0","id":1,"result":7}', null],
  ['{"jsonrpc":"2.0","id":null,"result":{}}', null],
  ['{"jsonrpc":"2.0","id":1,"result":{"_meta":"a"}}', null],
  ['{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/related-task":{}}}}', null],
  ['{"id":1,"result":{}}', null],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"a"}}', null],
  ['{"jsonrpc":"2.0","id":1,"error":"a"}', null],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', null],
];
