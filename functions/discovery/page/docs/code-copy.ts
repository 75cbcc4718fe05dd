// Copies the code that a code block shows.
import { copyText } from '../../../page/dom.ts';
import { showMessage } from '../copy.ts';

const shownCode = (block: Element): HTMLElement | undefined =>
  [...block.querySelectorAll<HTMLElement>(':scope > pre > code')].find((code) => code.checkVisibility());

const copy = async (button: HTMLElement): Promise<void> => {
  const code = shownCode(button.closest('.code') ?? button);
  if (code !== undefined) showMessage(button, await copyText(code));
};

export const startCopying = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('.code .copy'))
    button.addEventListener('click', () => void copy(button));
};
