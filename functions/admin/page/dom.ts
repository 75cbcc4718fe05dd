// Connects the templates of index.html with the modules: copies templates, submits forms, shows problems, and writes labels
// and times.
import { element, find, requirePart } from '../../page/dom.ts';
import { formatWait } from '../../page/format.ts';
import { ApiError, alertText, type Problem } from '../../page/problem.ts';

// Formats labels, sentences and times for the dashboard.

/** Anyone can choose a label: U+2068 and U+2069 isolate right-to-left text and direction overrides in it. */
export const isolateLabel = (label: string): string => `“\u2068${label}\u2069”`;

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** In UTC, like every time on the page. */
export const timeOfDay = (instant: string, secondsLater = 0): string =>
  new Date(Date.parse(instant) + secondsLater * 1000).toISOString().slice(11, 19);

/** @throws if index.html has no such template */
export const contentOf = (template: string): DocumentFragment =>
  document.importNode(find(`template#${template}`, HTMLTemplateElement).content, true);

/** Copies a template that contains one element. @throws if index.html has no such template */
export const copyOf = <T extends Element>(template: string, kind: new () => T): T => {
  const { firstElementChild: copy } = contentOf(template);
  if (copy instanceof kind) return copy;
  throw new Error(`index.html has another #${template}`);
};

export const onClick = (within: ParentNode, name: string, act: () => void): void =>
  requirePart(name, within).addEventListener('click', act);

const waitText = ({ resolution = '', retry_after: seconds }: Problem): string | undefined =>
  seconds === undefined || resolution.includes(`${seconds}`) ? undefined : `Try again in ${formatWait(seconds)}.`;

/** Shows a problem in the live region of `within`. */
export const showProblem = (within: ParentNode, problem: Problem): void => {
  const text = alertText(problem, problem.resolution, waitText(problem));
  requirePart('problem', within).replaceChildren(element('strong', `${problem.title}.`), ` ${text}`);
};

const clearProblem = (form: HTMLFormElement): void => {
  requirePart('problem', form).replaceChildren();
  for (const input of form.querySelectorAll('[data-parameter]')) input.removeAttribute('aria-invalid');
  for (const error of form.querySelectorAll('.error')) error.textContent = '';
};

/** @returns whether every error belongs to a field of the form */
const showFieldErrors = (form: HTMLFormElement, { errors = [] }: Problem): boolean => {
  const inputs = [...form.querySelectorAll('input')];
  const invalid = errors.flatMap(({ parameter, message }) => {
    const input = inputs.find(({ dataset }) => dataset['parameter'] === parameter);
    if (input === undefined) return [];
    input.setAttribute('aria-invalid', 'true');
    find(`#${input.id}-error`, HTMLElement, form).textContent = sentence(message);
    return [input];
  });
  invalid[0]?.focus();
  return invalid.length > 0 && invalid.length === errors.length;
};

/** Replaces the problem text of the service, which names parameters, if every error is shown at its field. */
const INVALID_FIELDS: Problem = { title: 'Not accepted', resolution: 'Correct the marked fields.' };

/** Runs a task that no form awaits and shows the problem if it fails. */
export const withErrorDisplay = async (task: () => Promise<void>, show: (problem: Problem) => void): Promise<void> => {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    show(error.problem);
  }
};

/** Runs one submission at a time: a second submission is ignored until the first has ended. */
export const onSubmit = (form: HTMLFormElement, task: () => Promise<void>): void => {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.hasAttribute('data-busy')) return;
    form.setAttribute('data-busy', '');
    clearProblem(form);
    try {
      await withErrorDisplay(task, (problem) => {
        showProblem(form, showFieldErrors(form, problem) ? INVALID_FIELDS : problem);
      });
    } finally {
      form.removeAttribute('data-busy');
    }
  });
};

/** Adds a dialog that Escape and Cancel close. A closed dialog is removed, and the browser restores the focus. */
export const openDialog = (template: string, into: ParentNode): HTMLDialogElement => {
  const dialog = copyOf(template, HTMLDialogElement);
  dialog.addEventListener('close', () => dialog.remove());
  onClick(dialog, 'cancel', () => dialog.close());
  into.append(dialog);
  return dialog;
};
