// The buttons that copy what another element holds.
import { find, setText } from './dom.ts';

const SAID_MS = 2_000;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** On the button for a moment, and for whoever does not see it. */
const say = (button: HTMLElement, word: string, sentence: string): void => {
  const { label = button.textContent } = button.dataset;
  button.dataset['label'] = label;
  button.textContent = word;
  setText('status', sentence);
  clearTimeout(timers.get(button));
  const restore = (): void => {
    button.textContent = label;
    setText('status', '');
  };
  timers.set(button, setTimeout(restore, SAID_MS));
};

const copyText = async (button: HTMLElement): Promise<void> => {
  const from = find(`#${button.dataset['copies']}`, HTMLElement);
  try {
    await navigator.clipboard.writeText(from.textContent);
    say(button, 'Copied', 'Copied.');
  } catch {
    // Without https, or where the browser forbids it.
    getSelection()?.selectAllChildren(from);
    say(button, 'Selected', 'Selected. Copy it with the keyboard or the menu.');
  }
};

export const startCopying = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copies]'))
    button.addEventListener('click', () => void copyText(button));
};
