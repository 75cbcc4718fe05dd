// Copies the code that a code block shows.
import { copyText, setText } from '../../../page/dom.ts';

const FEEDBACK_MS = 2_000;

const LABEL = 'Copy';

const shownCode = (block: Element): HTMLElement | undefined =>
  [...block.querySelectorAll<HTMLElement>(':scope > pre > code')].find((code) => code.checkVisibility());

const copy = async (button: HTMLElement): Promise<void> => {
  const code = shownCode(button.closest('.code') ?? button);
  if (code === undefined) return;
  const message = await copyText(code);
  button.textContent = message.replace(/\..*/, '');
  setText('status', message);
  setTimeout(() => {
    button.textContent = LABEL;
    setText('status', '');
  }, FEEDBACK_MS);
};

export const startCopying = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('.code .copy'))
    button.addEventListener('click', () => void copy(button));
};
