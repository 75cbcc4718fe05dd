// What every read of a list needs, and how a page that was assembled goes on.
import type { ListInput } from '../contract/inputs.ts';
import { warning } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import type { Cursors, DoorPorts, ListPorts, UpstreamPorts } from '../ports.ts';
import type { Assembled } from './assemble.ts';

export type ReadListPorts = UpstreamPorts & ListPorts & Pick<DoorPorts, 'clock'>;

export const nextCursor = (
  { next }: Pick<Assembled<unknown>, 'next'>,
  { list }: ListInput,
  cursors: Cursors,
): { readonly next_cursor?: string } => (next === undefined ? {} : { next_cursor: cursors.seal(list, next) });

export const pageWarnings = ({ warnings, isShort }: Assembled<unknown>): readonly Warning[] =>
  isShort ? [...warnings, warning('partial_page')] : warnings;
