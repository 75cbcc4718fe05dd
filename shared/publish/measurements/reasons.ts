// Explains the bars that a measurement may miss: what bounds the figure, and what was tried. A test requires a reason for
// each missed bar.

/** The pattern selects bars by name. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /handler, Markdown \/ JSON\.parse/,
    'The answer is mapped, escaped and hashed after it is parsed; the parser is native code.',
  ],
  [/^provider call, CPU/, 'The call checks sizes, time limits and content types that the peer does not check.'],
  [/: ready \/ empty handler/, 'The modules of the HTTP client and of the store client are most of the start.'],
];

export const reasonOf = (bar: string): string | undefined => reasons.find(([pattern]) => pattern.test(bar))?.[1];
