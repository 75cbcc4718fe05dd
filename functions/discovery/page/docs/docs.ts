// Runs the documentation pages: copies code, remembers the language, sends the requests of examples, and searches. The
// pages are complete without it.

import { copyText } from '../../../page/dom.ts';
import { showMessage } from '../copy.ts';
import { startChoosing } from './languages.ts';
import { startRunning } from './run.ts';
import { startSearching } from './search.ts';

// Copies the code that a code block shows.

const shownCode = (block: Element): HTMLElement | undefined =>
  [...block.querySelectorAll<HTMLElement>(':scope > pre > code')].find((code) => code.checkVisibility());

const copy = async (button: HTMLElement): Promise<void> => {
  const code = shownCode(button.closest('.code') ?? button);
  if (code !== undefined) showMessage(button, await copyText(code));
};

const startCopying = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('.code .copy'))
    button.addEventListener('click', () => void copy(button));
};

document.documentElement.classList.add('scripted');
startCopying();
startChoosing();
startRunning();
startSearching();
