// Making, changing and deleting a key, and the one time that its secret is shown.
import type { Api, CreatedKey, Key, KeyChange } from './api.ts';
import { copyOf, find, onClick, onSubmit, openDialog, requirePart, setText } from './dom.ts';
import { isolateLabel } from './format.ts';

type Say = (message: string) => void;

interface FormPorts {
  readonly dashboard: HTMLElement;
  readonly api: Api;
  readonly say: Say;
}

const field = (form: HTMLFormElement, parameter: string): HTMLInputElement =>
  find(form, `[data-parameter="${parameter}"]`, HTMLInputElement);

const copyText = async (from: HTMLElement, say: Say): Promise<void> => {
  try {
    await navigator.clipboard.writeText(from.textContent);
    say('Copied.');
  } catch {
    // Without https, or where the browser forbids it.
    getSelection()?.selectAllChildren(from);
    say('Selected. Copy it with the keyboard or the menu.');
  }
};

const showSecret = (into: HTMLElement, { label, secret }: CreatedKey, say: Say, done: () => void): void => {
  const panel = copyOf('secret', HTMLElement);
  setText(panel, 'label', label);
  setText(panel, 'secret', secret);
  setText(panel, 'curl', `curl -H 'Authorization: Bearer ${secret}' '${location.origin}/api/v1/search?q=tide'`);
  for (const name of ['secret', 'curl'])
    onClick(panel, `copy-${name}`, () => void copyText(requirePart(panel, name), say));
  onClick(panel, 'stored', () => {
    panel.remove();
    done();
  });
  into.prepend(panel);
  panel.scrollIntoView({ block: 'nearest' });
  find(panel, 'h3', HTMLElement).focus();
};

const searchInput = (dashboard: HTMLElement): HTMLInputElement =>
  field(find(dashboard, '[data-part="create"]', HTMLFormElement), 'search');

/** What holds where the field is left empty. */
export const showDefault = (dashboard: HTMLElement, search: string): void => {
  searchInput(dashboard).placeholder = search;
};

export const createForm = ({ dashboard, api, say }: FormPorts, onCreated: (key: Key) => void): void => {
  const form = find(dashboard, '[data-part="create"]', HTMLFormElement);
  onSubmit(form, async () => {
    const search = field(form, 'search').value.trim();
    const created = await api.createKey({ label: field(form, 'label').value, ...(search !== '' && { search }) });
    form.reset();
    showSecret(requirePart(dashboard, 'created'), created, say, () => field(form, 'label').focus());
    onCreated(created);
  });
};

/** Only what differs. */
const changeOf = (form: HTMLFormElement, key: Key): KeyChange => {
  const label = field(form, 'label').value;
  const search = field(form, 'search').value.trim();
  return { ...(label !== key.label && { label }), ...(search !== key.search && { search: search || null }) };
};

export const editKey = (key: Key, { dashboard, api, say }: FormPorts, onChanged: (key: Key) => void): void => {
  const dialog = openDialog('edit', dashboard);
  const form = find(dialog, 'form', HTMLFormElement);
  setText(dialog, 'id', key.id);
  field(form, 'label').value = key.label;
  field(form, 'search').value = key.search;
  field(form, 'search').placeholder = searchInput(dashboard).placeholder;
  onSubmit(form, async () => {
    const change = changeOf(form, key);
    if (Object.keys(change).length > 0) {
      const changed = await api.changeKey(key.id, change);
      onChanged(changed);
      say(`Saved ${isolateLabel(changed.label)}.`);
    }
    dialog.close();
  });
  dialog.showModal();
};

export const deleteKey = (key: Key, { dashboard, api, say }: FormPorts, onDeleted: () => void): void => {
  const dialog = openDialog('delete', dashboard);
  setText(dialog, 'label', key.label);
  onSubmit(find(dialog, 'form', HTMLFormElement), async () => {
    await api.deleteKey(key.id);
    dialog.close();
    onDeleted();
    say(`Deleted ${isolateLabel(key.label)}.`);
  });
  dialog.showModal();
};
