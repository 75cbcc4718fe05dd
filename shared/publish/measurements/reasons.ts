// Explains the bars that a measurement may miss: what bounds the figure, and what was tried. A test requires a reason for
// each missed bar.

/** The pattern selects bars by name. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /handler, Markdown \/ JSON\.parse/,
    'Parsing is native code; all else must fit into a fifth of its time. With 100 posts, mapping takes a quarter of the time of parsing, rendering with escaping about 0.3, the entity tag and the size 0.1, the order of the thread 0.05. The rest is memory: the parsed answer is alive while the document is written. One encoding for tag and size, fewer strings and arrays, and fewer passes over a text saved 5 to 25 %. More memory for young objects, an in-process checksum and one string per list of counts saved nothing, or too little to weaken the tag.',
  ],
  [
    /handler, JSON \/ JSON\.parse/,
    'A JSON body has the post and its Markdown, so all work of the Markdown is in it. JSON.stringify alone takes 0.7 of the time of parsing, because every post repeats its author. The body was copied twice before it was sent, and is copied once now. Writing the posts one by one saved nothing.',
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
    /^mutation score, lowest folder/,
    'One small folder misses it: in `shared/composition`, three of the drawn mutants survived. One was a bound that the request cache already has, and is removed. The others were the default list of operators, and the key of the call that opens the connection of a store. Tests were added after the run, for these and for survivors in other folders.',
  ],
  [
    /^npm test: duration/,
    'Thousands of tests of a few milliseconds each and property tests need most of the CPU time of two cores. The files of a worker share their modules, tests that start services or judge the stack run in `npm run check`, and long proofs have a short form here and a full one with `TEST_FORM=full`: a third of the earlier time is left. More workers and more memory for young objects gained nothing.',
  ],
  [
    /^soak: growth of the heap/,
    'The growth is about 28 bytes for each request, while a fifth of the callers and of the subjects is new. In two heap snapshots of a run with 200 requests per second, half of it was compiled code and its feedback, a quarter buffers of requests in flight, and the rest texts in maps of subjects and callers, which have a bound. The number of objects of each kind grew by less than a tenth of the number of requests. 30 minutes are too short to show where it ends.',
  ],
];

export const reasonOf = (bar: string): string | undefined => reasons.find(([pattern]) => pattern.test(bar))?.[1];
