// Creates, changes and deletes keys, and shows the secret of a new key once.
import { copyText, find, requirePart, setText } from '../../page/dom.ts';
import type { Api, CreatedKey, Key, KeyChange } from './api.ts';
import { copyOf, isolateLabel, onClick, onSubmit, openDialog } from './dom.ts';

type Say = (message: string) => void;

interface FormPorts {
  readonly dashboard: HTMLElement;
  readonly api: Api;
  readonly say: Say;
}

const field = (form: HTMLFormElement, parameter: string): HTMLInputElement =>
  find(`[data-parameter="${parameter}"]`, HTMLInputElement, form);

const showSecret = (container: HTMLElement, { label, secret }: CreatedKey, say: Say, onStored: () => void): void => {
  const panel = copyOf('secret', HTMLElement);
  setText('label', label, panel);
  setText('secret', secret, panel);
  setText('curl', `curl -H 'Authorization: Bearer ${secret}' '${location.origin}/api/v1/search?q=tide'`, panel);
  for (const name of ['secret', 'curl'])
    onClick(panel, `copy-${name}`, async () => say(await copyText(requirePart(name, panel))));
  onClick(panel, 'stored', () => {
    panel.remove();
    onStored();
  });
  container.prepend(panel);
  panel.scrollIntoView({ block: 'nearest' });
  find('h3', HTMLElement, panel).focus();
};

const searchInput = (dashboard: HTMLElement): HTMLInputElement =>
  field(find('[data-part="create"]', HTMLFormElement, dashboard), 'search');

/** Shows the default allowance, which applies if the field is empty. */
export const showDefault = (dashboard: HTMLElement, search: string): void => {
  searchInput(dashboard).placeholder = search;
};

export const createForm = ({ dashboard, api, say }: FormPorts, onCreated: (key: Key) => void): void => {
  const form = find('[data-part="create"]', HTMLFormElement, dashboard);
  onSubmit(form, async () => {
    const search = field(form, 'search').value.trim();
    const created = await api.createKey({ label: field(form, 'label').value, ...(search !== '' && { search }) });
    form.reset();
    showSecret(requirePart('created', dashboard), created, say, () => field(form, 'label').focus());
    onCreated(created);
  });
};

/** @returns only the members that differ */
const changeOf = (form: HTMLFormElement, key: Key): KeyChange => {
  const label = field(form, 'label').value;
  const search = field(form, 'search').value.trim();
  return { ...(label !== key.label && { label }), ...(search !== key.search && { search: search || null }) };
};

export const editKey = (key: Key, { dashboard, api, say }: FormPorts, onChanged: (key: Key) => void): void => {
  const dialog = openDialog('edit', dashboard);
  const form = find('form', HTMLFormElement, dialog);
  setText('id', key.id, dialog);
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
  setText('label', key.label, dialog);
  onSubmit(find('form', HTMLFormElement, dialog), async () => {
    await api.deleteKey(key.id);
    dialog.close();
    onDeleted();
    say(`Deleted ${isolateLabel(key.label)}.`);
  });
  dialog.showModal();
};
