// Between the templates of index.html and the modules: find, fill, submit, say. Text goes in as text only.
import { AdminApiError, type Problem } from './api.ts';
import { formatWait, sentence } from './format.ts';

/** @throws when index.html has no such element */
export const find = <T extends Element>(within: ParentNode, selector: string, kind: new () => T): T => {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${selector}`);
};

export const requirePart = (within: ParentNode, name: string): HTMLElement =>
  find(within, `[data-part="${name}"]`, HTMLElement);

export const setText = (within: ParentNode, name: string, text: string): void => {
  requirePart(within, name).textContent = text;
};

/** @throws when index.html has no such template */
export const contentOf = (template: string): DocumentFragment =>
  document.importNode(find(document, `template#${template}`, HTMLTemplateElement).content, true);

/** Of a template that holds one element. @throws when index.html has no such template */
export const copyOf = <T extends Element>(template: string, kind: new () => T): T => {
  const { firstElementChild: copy } = contentOf(template);
  if (copy instanceof kind) return copy;
  throw new Error(`index.html has another #${template}`);
};

export const element = (name: string, text = '', className = ''): HTMLElement => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
};

export const onClick = (within: ParentNode, name: string, act: () => void): void =>
  requirePart(within, name).addEventListener('click', act);

const problemText = ({ title, detail, resolution = '', retry_after: seconds }: Problem): string =>
  [
    detail === `${title}.` ? undefined : detail,
    resolution,
    seconds === undefined || resolution.includes(`${seconds}`) ? undefined : `Try again in ${formatWait(seconds)}.`,
  ]
    .filter((words) => words !== undefined && words !== '')
    .join(' ');

/** Into the live region of `within`. */
export const showProblem = (within: ParentNode, problem: Problem): void => {
  requirePart(within, 'problem').replaceChildren(element('strong', `${problem.title}.`), ` ${problemText(problem)}`);
};

const clearProblem = (form: HTMLFormElement): void => {
  requirePart(form, 'problem').replaceChildren();
  for (const input of form.querySelectorAll('[data-parameter]')) input.removeAttribute('aria-invalid');
  for (const place of form.querySelectorAll('.error')) place.textContent = '';
};

/** @returns whether a field has all the blame */
const showFieldErrors = (form: HTMLFormElement, { errors = [] }: Problem): boolean => {
  const inputs = [...form.querySelectorAll('input')];
  const blamed = errors.flatMap(({ parameter, message }) => {
    const input = inputs.find(({ dataset }) => dataset['parameter'] === parameter);
    if (input === undefined) return [];
    input.setAttribute('aria-invalid', 'true');
    find(form, `#${input.id}-error`, HTMLElement).textContent = sentence(message);
    return [input];
  });
  blamed[0]?.focus();
  return blamed.length > 0 && blamed.length === errors.length;
};

/** The words of the service about parameters are for programs; people see the field. */
const MARKED: Problem = { title: 'Not accepted', resolution: 'Correct what is marked and try again.' };

/** What to do with a failure, for tasks that no form awaits. */
export const withErrorDisplay = async (task: () => Promise<void>, show: (problem: Problem) => void): Promise<void> => {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    show(error.problem);
  }
};

/** One submission at a time: pressing again while the service thinks does nothing. */
export const onSubmit = (form: HTMLFormElement, task: () => Promise<void>): void => {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.hasAttribute('data-busy')) return;
    form.setAttribute('data-busy', '');
    clearProblem(form);
    try {
      await withErrorDisplay(task, (problem) => {
        showProblem(form, showFieldErrors(form, problem) ? MARKED : problem);
      });
    } finally {
      form.removeAttribute('data-busy');
    }
  });
};

/** Escape and Cancel close it; closed, it leaves the page, and focus returns to where it was. */
export const openDialog = (template: string, into: ParentNode): HTMLDialogElement => {
  const dialog = copyOf(template, HTMLDialogElement);
  dialog.addEventListener('close', () => dialog.remove());
  onClick(dialog, 'cancel', () => dialog.close());
  into.append(dialog);
  return dialog;
};
