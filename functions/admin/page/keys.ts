// Shows the table of keys, one row per key. Rows are changed in place, so that the focus does not move.
import { find, requirePart, setText } from '../../page/dom.ts';
import { pluralize } from '../../page/format.ts';
import type { Key, KeyUsage, Usage } from './api.ts';
import { copyOf, isolateLabel, onClick, timeOfDay } from './dom.ts';

export interface KeyActions {
  readonly edit: (key: Key) => void;
  /** Enables a disabled key and disables an enabled key. */
  readonly toggle: (key: Key) => void;
  readonly remove: (key: Key) => void;
}

export interface KeyTable {
  readonly show: (keys: readonly Key[]) => void;
  /** Adds a key, or updates the row of a changed key. */
  readonly put: (key: Key) => void;
  readonly drop: (id: string) => void;
  readonly showUsage: (usage: Usage) => void;
}

const showKey = (row: HTMLElement, key: Key): void => {
  const isEnabled = key.state === 'enabled';
  setText('label', key.label, row);
  setText('id', key.id, row);
  setText('state', key.state, row);
  setText('search', key.search, row);
  setText('last-used', key.last_used_on ?? 'never', row);
  setText('created-on', key.created_at.slice(0, 10), row);
  setText('toggle', isEnabled ? 'Disable' : 'Enable', row);
  row.classList.toggle('disabled', !isEnabled);
  for (const button of row.querySelectorAll('button'))
    button.setAttribute('aria-label', `${button.textContent} ${isolateLabel(key.label)}`);
};

const showUse = (row: HTMLElement, usage: KeyUsage | undefined, at: string): void => {
  const meter = find('meter', HTMLMeterElement, row);
  meter.hidden = usage === undefined;
  for (const name of ['used', 'searches']) setText(name, '–', row);
  for (const name of ['resets', 'reads']) setText(name, '', row);
  if (usage === undefined) return;
  const { search, last_24_hours: day } = usage;
  meter.max = search.limit;
  meter.value = search.used;
  meter.classList.toggle('full', search.used >= search.limit);
  setText('used', `${search.used} of ${search.limit}`, row);
  setText('resets', search.used === 0 ? '' : `resets ${timeOfDay(at, search.resets_in)}`, row);
  setText('searches', pluralize(day.search, 'search', 'searches'), row);
  setText('reads', pluralize(day.browse, 'other request', 'other requests'), row);
};

const newestFirst = (a: Key, b: Key): number =>
  b.created_at.localeCompare(a.created_at) || a.label.localeCompare(b.label) || a.id.localeCompare(b.id);

export const keyTable = (dashboard: HTMLElement, actions: KeyActions): KeyTable => {
  const table = find('table', HTMLTableElement, dashboard);
  const body = requirePart('keys', table);
  const keys = new Map<string, Key>();
  const rows = new Map<string, HTMLElement>();

  let latest: Usage | undefined;

  const showUses = (): void => {
    const byId = new Map(latest?.keys.map((usage) => [usage.id, usage]));
    for (const [id, row] of rows) showUse(row, byId.get(id), latest?.generated_at ?? '');
  };

  const newRow = (id: string): HTMLElement => {
    const row = copyOf('key-row', HTMLTableRowElement);
    for (const name of ['edit', 'toggle', 'remove'] as const)
      onClick(row, name, () => {
        const key = keys.get(id);
        if (key !== undefined) actions[name](key);
      });
    rows.set(id, row);
    return row;
  };

  const render = (): void => {
    const sorted = [...keys.values()].sort(newestFirst);
    for (const [index, key] of sorted.entries()) {
      const row = rows.get(key.id) ?? newRow(key.id);
      showKey(row, key);
      // An element that is moved loses the focus.
      const current = body.children[index] ?? null;
      if (current !== row) body.insertBefore(row, current);
    }
    showUses();
    const disabled = sorted.filter(({ state }) => state === 'disabled').length;
    table.hidden = sorted.length === 0;
    setText('count', [sorted.length, ...(disabled === 0 ? [] : [`${disabled} disabled`])].join(', '), dashboard);
    setText('empty', sorted.length === 0 ? 'No keys. Every caller has the public allowance.' : '', dashboard);
  };

  const forget = (id: string): void => {
    rows.get(id)?.remove();
    rows.delete(id);
    keys.delete(id);
  };

  return {
    show: (list) => {
      const listed = new Set(list.map(({ id }) => id));
      for (const id of [...keys.keys()].filter((shown) => !listed.has(shown))) forget(id);
      for (const key of list) keys.set(key.id, key);
      render();
    },
    put: (key) => {
      keys.set(key.id, key);
      render();
    },
    drop: (id) => {
      forget(id);
      render();
    },
    showUsage: (usage) => {
      latest = usage;
      showUses();
    },
  };
};
