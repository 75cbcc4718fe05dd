// Between the templates of index.html and the modules: find, fill, submit, say. Text goes in as text only.
/// <reference lib="dom" />
import { Failure, type Problem } from './api.ts';

/** @throws when index.html has no such element */
export const find = <T extends Element>(within: ParentNode, selector: string, kind: new () => T): T => {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${selector}`);
};

export const part = (within: ParentNode, name: string): HTMLElement =>
  find(within, `[data-part="${name}"]`, HTMLElement);

export const write = (within: ParentNode, name: string, text: string): void => {
  part(within, name).textContent = text;
};

/** The first element of a copy. */
export const copyOf = <T extends Element>(template: string, kind: new () => T): T => {
  const { content } = find(document, `template#${template}`, HTMLTemplateElement);
  return find(document.importNode(content, true), ':scope > *', kind);
};

/** Everything of a copy. */
export const contentOf = (template: string): DocumentFragment =>
  document.importNode(find(document, `template#${template}`, HTMLTemplateElement).content, true);

export const element = (name: string, text = '', className = ''): HTMLElement => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
};

/** Labels are anybody's: U+2068 and U+2069 keep right-to-left text and overrides to themselves. */
export const quoted = (label: string): string => `“\u2068${label}\u2069”`;

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** UTC, as every time of the page. */
export const timeOfDay = (instant: string, secondsLater = 0): string =>
  new Date(Date.parse(instant) + secondsLater * 1000).toISOString().slice(11, 19);

export const onClick = (within: ParentNode, name: string, act: () => void): void =>
  part(within, name).addEventListener('click', act);

/** What is wrong with a field is said beside it. */
const problemText = ({ title, detail, resolution, retry_after: seconds, errors = [] }: Problem): string =>
  [
    detail === `${title}.` || errors.length > 0 ? undefined : detail,
    resolution,
    seconds === undefined ? undefined : `It is possible again in ${seconds} seconds.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');

/** Into the live region of `within`. */
export const showProblem = (within: ParentNode, problem: Problem): void => {
  part(within, 'problem').replaceChildren(element('strong', `${problem.title}.`), ` ${problemText(problem)}`);
};

const clearProblem = (form: HTMLFormElement): void => {
  part(form, 'problem').replaceChildren();
  for (const input of form.querySelectorAll('[data-parameter]')) input.removeAttribute('aria-invalid');
  for (const place of form.querySelectorAll('.error')) place.textContent = '';
};

const showFieldErrors = (form: HTMLFormElement, { errors = [] }: Problem): void => {
  for (const { parameter, message } of errors.toReversed()) {
    const input = [...form.querySelectorAll('input')].find(({ dataset }) => dataset['parameter'] === parameter);
    if (input === undefined) continue;
    input.setAttribute('aria-invalid', 'true');
    find(form, `#${input.id}-error`, HTMLElement).textContent =
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    input.focus();
  }
};

/** What to do with a failure, for tasks that no form awaits. */
export const catching = async (task: () => Promise<void>, show: (problem: Problem) => void): Promise<void> => {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
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
    await catching(task, (problem) => {
      showProblem(form, problem);
      showFieldErrors(form, problem);
    });
    form.removeAttribute('data-busy');
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
