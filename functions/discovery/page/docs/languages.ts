// Keeps the language of the examples: a choice applies to all examples of the page and to the pages that are read later.

const KEY = 'postern.language';

const choices = (): readonly HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>('.code input[type=radio]'),
];

const choose = (language: string): void => {
  for (const choice of choices()) if (choice.value === language) choice.checked = true;
};

/** A browser can forbid the storage. The choice then applies to this page only. */
const stored = <T>(use: (storage: Storage) => T): T | undefined => {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
};

/** The examples above change their height. The example of the choice must stay where it is. */
const keepPosition = (element: Element, change: () => void): void => {
  const before = element.getBoundingClientRect().top;
  change();
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' });
};

export const startChoosing = (): void => {
  const remembered = stored((storage) => storage.getItem(KEY));
  if (typeof remembered === 'string') choose(remembered);
  for (const choice of choices())
    choice.addEventListener('change', () => {
      keepPosition(choice, () => choose(choice.value));
      stored((storage) => storage.setItem(KEY, choice.value));
    });
};
