// What is up, what is used, and who did what.
import type { AuditEntry, Members, Usage } from './api.ts';
import { element, requirePart, setText } from './dom.ts';
import { timeOfDay } from './format.ts';

const fact = (name: string, value: string, className = ''): HTMLElement => {
  const made = element('div');
  made.append(element('dt', name), element('dd', value, className));
  return made;
};

const poolText = ({ pool, generated_at: at }: Usage): string =>
  pool === null ? 'none' : `${pool.used} of ${pool.limit} used, resets ${timeOfDay(at, pool.resets_in)}`;

export const showService = (dashboard: HTMLElement, usage: Usage): void => {
  const { store, providers, generated_at: at } = usage;
  requirePart(dashboard, 'service').replaceChildren(
    fact('Store', store.state, store.state),
    ...providers.map(({ name, state }) => fact(name, state, state)),
    fact('Public search pool', poolText(usage)),
  );
  setText(dashboard, 'refreshed', `as of ${timeOfDay(at)} UTC`);
};

const verbs: ReadonlyMap<string, string> = new Map([
  ['create_key', 'created'],
  ['change_key', 'changed'],
  ['delete_key', 'deleted'],
  ['sign_in', 'signed in'],
  ['sign_out', 'signed out'],
]);

/** Member by member; a deleted key has nothing after. */
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

export const showAudit = (dashboard: HTMLElement, entries: readonly AuditEntry[]): void => {
  requirePart(dashboard, 'audit').replaceChildren(...entries.map(auditItem));
};
