// Between index.html and the modules: find, write. Text goes in as text only.

/** @throws when index.html has no such element */
export const find = <T extends Element>(selector: string, kind: new () => T): T => {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${selector}`);
};

export const requirePart = (name: string): HTMLElement => find(`[data-part="${name}"]`, HTMLElement);

export const setText = (name: string, text: string): void => {
  requirePart(name).textContent = text;
};

export const element = (name: string, text: string): HTMLElement => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

export const link = (href: string, content: string | Node): HTMLAnchorElement => {
  const made = document.createElement('a');
  made.href = href;
  made.append(content);
  return made;
};
