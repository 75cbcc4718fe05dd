// Explains the bars that a measurement may miss: what bounds the figure, and what was tried. A test requires a reason for
// each missed bar.

/** The pattern selects bars by name. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /handler, Markdown \/ JSON\.parse/,
    'The answer is mapped, escaped and hashed after it is parsed; the parser is native code.',
  ],
  [
    /^provider call, CPU/,
    'Sockets, the HTTP parser and JSON.parse are most of both sides. The client handles the events of undici without its stream, which saved a third.',
  ],
  [
    /: ready \/ empty handler/,
    'Compiling the bundle is a quarter of the start, and most of the rest is the HTTP client and the store client. Unreachable parts of packages are left out, and documents are beside the bundle. Compiled code would save the quarter, but is valid for one version of V8 and one architecture only. Compiling the modules of packages at once, without a first pass, saved less than 5 %.',
  ],
  [
    /^npm start: first answer/,
    'npm itself takes a third of it. The bundles, their compiled code and that of the service are kept; the store and the functions must start.',
  ],
  [
    /^npm test: duration/,
    'The property tests, the synthesis of the stack and the bundles need most of the time. Other work on the machine lengthens it; the CPU time of the table does not depend on it.',
  ],
];

export const reasonOf = (bar: string): string | undefined => reasons.find(([pattern]) => pattern.test(bar))?.[1];
