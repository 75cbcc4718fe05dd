// Shows the posts and accounts that the operator withholds.
import { shownName } from '../../../shared/model/handle.ts';
import { find, requirePart, setText } from '../../page/dom.ts';
import { pluralize } from '../../page/format.ts';
import type { Withheld } from './api.ts';
import { copyOf } from './dom.ts';

type Entry = Withheld['entries'][number];

/** A longer list is folded, so that the audit below it stays in reach. */
const MAX_UNFOLDED = 20;

/** The time is left out if it is midnight, as that of an end which was given as a day. */
const endText = (until: string): string => until.slice(0, 16).replace('T00:00', '').replace('T', ' ');

const rowOf = ({ post, profile, reason, until, in_force: isInForce }: Entry): HTMLElement => {
  const row = copyOf('withheld-row', HTMLTableRowElement);
  row.classList.toggle('disabled', !isInForce);
  setText('subject', profile === undefined ? `${post}` : shownName(profile), row);
  setText('kind', profile === undefined ? 'post' : 'account', row);
  setText('reason', reason, row);
  setText('until', until === null ? 'no end' : endText(until), row);
  setText('state', isInForce ? 'in force' : 'ended', row);
  return row;
};

export const showWithheld = (dashboard: HTMLElement, { count, entries, problem }: Withheld): void => {
  const ended = entries.length - count;
  const fold = find('details', HTMLDetailsElement, dashboard);
  const rows = requirePart('withheld', dashboard);
  if (rows.childElementCount === 0) fold.open = entries.length <= MAX_UNFOLDED;
  rows.replaceChildren(...entries.map(rowOf));
  fold.hidden = entries.length === 0;
  setText('withheld-fold', pluralize(entries.length, 'entry', 'entries'), dashboard);
  const endedText = ended === 0 ? '' : `, ${ended} ended`;
  setText('withheld-count', count === 0 && ended === 0 ? 'nothing' : `${count} in force${endedText}`, dashboard);
  const sentence =
    problem === null ? '' : `The file of the list is wrong, so the list before stays in force: ${problem}.`;
  setText('withheld-problem', sentence, dashboard);
};
