// Runs the buttons that copy the text of another element.
import { copyText, find, setText } from '../../page/dom.ts';

const FEEDBACK_MS = 2_000;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** Shows the first word of the message on the button for 2 s, and announces the whole message to screen readers. */
export const showMessage = (button: HTMLElement, message: string): void => {
  const { label = button.textContent } = button.dataset;
  button.dataset['label'] = label;
  button.textContent = message.replace(/\..*/, '');
  setText('status', message);
  clearTimeout(timers.get(button));
  const restore = (): void => {
    button.textContent = label;
    setText('status', '');
  };
  timers.set(button, setTimeout(restore, FEEDBACK_MS));
};

const copy = async (button: HTMLElement): Promise<void> =>
  showMessage(button, await copyText(find(`#${button.dataset['copies']}`, HTMLElement)));

export const startCopying = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copies]'))
    button.addEventListener('click', () => void copy(button));
};
