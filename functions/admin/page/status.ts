// Shows the state of the service, the usage of the allowance pool and the audit.
import { element, requirePart, setText } from '../../page/dom.ts';
import type { AuditEntry, AuditPage, Members, Usage, Window } from './api.ts';
import { timeOfDay } from './dom.ts';

const fact = (name: string, value: string, className = ''): HTMLElement => {
  const row = element('div');
  row.append(element('dt', name), element('dd', value, className));
  return row;
};

const windowText = (window: Window, at: string): string =>
  `${window.used} of ${window.limit} used, resets ${timeOfDay(at, window.resets_in)}`;

type Provider = Usage['providers'][number];

/** With the day if it is another one. */
const momentText = (instant: string, at: string): string =>
  `${instant.slice(0, 10) === at.slice(0, 10) ? '' : `${instant.slice(0, 10)} `}${instant.slice(11, 16)} UTC`;

const stateText = ({ state, until, since }: Provider, at: string): string => {
  if (state === 'up') return 'answers';
  if (state === 'limited') return until === undefined ? 'limited' : `limited until ${momentText(until, at)}`;
  return since === undefined ? 'fails' : `fails since ${momentText(since, at)}`;
};

export const showService = (dashboard: HTMLElement, usage: Usage): void => {
  const { version, store, providers, pool, paid_rows: rows, generated_at: at } = usage;
  requirePart('service', dashboard).replaceChildren(
    fact('Version', version),
    fact('Store', store.state === 'up' ? 'answers' : 'does not answer', store.state),
    ...providers.map((provider) => {
      const { name, address, state } = provider;
      return fact(address === undefined ? name : `${name} ${address}`, stateText(provider, at), state);
    }),
    fact('Public search pool', pool === null ? 'none' : windowText(pool, at)),
    ...(rows === null ? [] : [fact('Paid rows today', windowText(rows, at))]),
  );
  setText('refreshed', `as of ${timeOfDay(at)} UTC`, dashboard);
};

const verbs: ReadonlyMap<string, string> = new Map([
  ['create_key', 'created'],
  ['change_key', 'changed'],
  ['delete_key', 'deleted'],
  ['sign_in', 'signed in'],
  ['sign_out', 'signed out'],
]);

/** Lists the changed members. The entry of a deleted key has no `after`. */
const differences = (before: Members, after: Members): string =>
  Object.entries(after)
    .filter(([name, value]) => value !== before[name] && (name in before || name !== 'label'))
    .map(([name, value]) => `${name} ${name in before ? `${before[name]} → ` : ''}${value}`)
    .join(', ');

const auditItem = ({ at, operator, action, key_id: id, label, before, after }: AuditEntry): HTMLElement => {
  const time = element('time', at.slice(0, 16).replace('T', ' '));
  time.setAttribute('datetime', at);
  const line = element('p');
  line.append(element('b', operator), ` ${verbs.get(action) ?? action}`);
  if (label !== undefined) line.append(' ', element('bdi', label));
  if (id !== undefined) line.append(' ', element('code', id));
  const change = differences(before ?? {}, after ?? {});
  if (change !== '') line.append(' ', element('span', change, 'quiet'));
  const item = element('li');
  item.append(time, line);
  return item;
};

/** @param isOlder the page continues the list */
export const showAudit = (dashboard: HTMLElement, { entries, next_cursor }: AuditPage, isOlder: boolean): void => {
  const list = requirePart('audit', dashboard);
  if (!isOlder) list.replaceChildren();
  list.append(...entries.map(auditItem));
  requirePart('older', dashboard).hidden = next_cursor === undefined;
};
