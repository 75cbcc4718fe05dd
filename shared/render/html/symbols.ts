// Draws the small pictures that a page repeats. A page contains each drawing once, however often it is shown.

const drawings = {
  verified: '<path fill-rule="evenodd" d="M2 15V7a6 6 0 0 1 12 0v8zm4.9-2.6 5-5.2-1.2-1.1-3.8 4-1.7-1.7L4 9.6z"/>',
  protected: '<path fill-rule="evenodd" d="M2 15V7a6 6 0 0 1 12 0v8zm4.9-3h2.2l-.4-2.7a1.6 1.6 0 1 0-1.4 0z"/>',
  // An opening that is walled up.
  wall: '<path d="M2 15V7a6 6 0 0 1 12 0v8z"/>',
} as const satisfies Readonly<Record<string, string>>;

type SymbolName = keyof typeof drawings;

const reference = (name: string): string => `<use href="#i-${name}"/>`;

/** A drawing that says something. */
export const labelledSymbol = (name: SymbolName, label: string): string =>
  `<svg role="img" aria-label="${label}">${reference(name)}</svg>`;

/** A drawing beside words that say the same. */
export const decorativeSymbol = (name: SymbolName): string => `<svg aria-hidden="true">${reference(name)}</svg>`;

/** @returns the drawings that the HTML shows; empty if it shows none */
export const symbolsFor = (html: string): string => {
  const symbols = Object.entries(drawings).map(([name, drawing]) =>
    html.includes(reference(name)) ? `<symbol id="i-${name}" viewBox="0 0 16 16">${drawing}</symbol>` : '',
  );
  const used = symbols.join('');
  return used === '' ? '' : `<svg width="0" height="0" aria-hidden="true">${used}</svg>`;
};
