// The table of keys: one row each, changed in place so that focus stays where it is.
import type { Key, KeyUsage, Usage } from './api.ts';
import { copyOf, find, onClick, requirePart, setText } from './dom.ts';
import { isolateLabel, pluralize, timeOfDay } from './format.ts';

export interface KeyActions {
  readonly edit: (key: Key) => void;
  /** Enables what is disabled, and the other way round. */
  readonly toggle: (key: Key) => void;
  readonly remove: (key: Key) => void;
}

export interface KeyTable {
  readonly show: (keys: readonly Key[]) => void;
  /** A new one, or what became of one. */
  readonly put: (key: Key) => void;
  readonly drop: (id: string) => void;
  readonly showUsage: (usage: Usage) => void;
}

const showKey = (row: HTMLElement, key: Key): void => {
  const isEnabled = key.state === 'enabled';
  setText(row, 'label', key.label);
  setText(row, 'id', key.id);
  setText(row, 'state', key.state);
  setText(row, 'search', key.search);
  setText(row, 'last-used', key.last_used_on ?? 'never');
  setText(row, 'created-on', key.created_at.slice(0, 10));
  setText(row, 'toggle', isEnabled ? 'Disable' : 'Enable');
  row.classList.toggle('disabled', !isEnabled);
  for (const button of row.querySelectorAll('button'))
    button.setAttribute('aria-label', `${button.textContent} ${isolateLabel(key.label)}`);
};

const showUse = (row: HTMLElement, usage: KeyUsage | undefined, at: string): void => {
  const meter = find(row, 'meter', HTMLMeterElement);
  meter.hidden = usage === undefined;
  for (const name of ['used', 'searches']) setText(row, name, '–');
  for (const name of ['resets', 'reads']) setText(row, name, '');
  if (usage === undefined) return;
  const { search, last_24_hours: day } = usage;
  meter.max = search.limit;
  meter.value = search.used;
  meter.classList.toggle('full', search.used >= search.limit);
  setText(row, 'used', `${search.used} of ${search.limit}`);
  setText(row, 'resets', search.used === 0 ? '' : `resets ${timeOfDay(at, search.resets_in)}`);
  setText(row, 'searches', pluralize(day.search, 'search', 'searches'));
  setText(row, 'reads', pluralize(day.browse, 'other read', 'other reads'));
};

const newestFirst = (a: Key, b: Key): number =>
  b.created_at.localeCompare(a.created_at) || a.label.localeCompare(b.label) || a.id.localeCompare(b.id);

export const keyTable = (dashboard: HTMLElement, actions: KeyActions): KeyTable => {
  const table = find(dashboard, 'table', HTMLTableElement);
  const body = requirePart(table, 'keys');
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
    for (const [place, key] of sorted.entries()) {
      const row = rows.get(key.id) ?? newRow(key.id);
      showKey(row, key);
      // An element that is moved loses the focus.
      const there = body.children[place] ?? null;
      if (there !== row) body.insertBefore(row, there);
    }
    showUses();
    const off = sorted.filter(({ state }) => state === 'disabled').length;
    table.hidden = sorted.length === 0;
    setText(dashboard, 'count', [sorted.length, ...(off === 0 ? [] : [`${off} disabled`])].join(', '));
    setText(dashboard, 'empty', sorted.length === 0 ? 'No keys. Whoever searches has the public allowance.' : '');
  };

  const forget = (id: string): void => {
    rows.get(id)?.remove();
    rows.delete(id);
    keys.delete(id);
  };

  return {
    show: (list) => {
      const listed = new Set(list.map(({ id }) => id));
      for (const id of [...keys.keys()].filter((known) => !listed.has(known))) forget(id);
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
