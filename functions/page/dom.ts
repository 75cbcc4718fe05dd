// Finds and fills elements of a page. Text is inserted only as text, never as HTML.

/** @throws if the page has no such element */
export const find = <T extends Element>(selector: string, kind: new () => T, within: ParentNode = document): T => {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${selector}`);
};

/** @throws if the page has no such element */
export const requirePart = (name: string, within?: ParentNode): HTMLElement =>
  find(`[data-part="${name}"]`, HTMLElement, within);

export const setText = (name: string, text: string, within?: ParentNode): void => {
  requirePart(name, within).textContent = text;
};

export const element = (name: string, text = '', className = ''): HTMLElement => {
  const created = document.createElement(name);
  created.textContent = text;
  if (className) created.className = className;
  return created;
};

/**
 * Copies the text of an element. If the browser forbids it, as it does without HTTPS, selects the text instead.
 * @param text @default the text as it is in the document, without the line breaks between paragraphs
 * @returns the message for people
 */
export const copyText = async (source: HTMLElement, text: string = source.textContent): Promise<string> => {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    getSelection()?.selectAllChildren(source);
    return 'Selected. Copy it with the keyboard or the menu.';
  }
};
