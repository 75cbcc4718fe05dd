// Fuzzes the reader of cursors: it accepts only what the codec wrote for the same list.
import fc from 'fast-check';
import type { ListKey } from '../../../shared/model/list-position.ts';
import { createCursorCodec } from '../../../shared/use-cases/signed-cursors.ts';
import { forgedCursors, positions } from '../../generators/cursors.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const codec = createCursorCodec(['a secret of the fuzzer', 'an older secret']);
const LIST: ListKey = ['followers', 'jack'];
const OTHER: ListKey = ['followers', 'ada'];

export const target: FuzzTarget = {
  judge(input) {
    const position = codec.decode(LIST, input);
    if (position === undefined) return;
    ensure(codec.encode(LIST, position) === input, 'a cursor with two spellings');
    ensure(codec.decode(OTHER, input) === undefined, 'a cursor of another list');
  },
  seeds: positions.chain((position) => {
    const cursor = codec.encode(LIST, position);
    return fc.oneof(fc.constant(cursor), forgedCursors(cursor, LIST));
  }),
};
