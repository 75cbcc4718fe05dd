// Draws the gate of the service in the state that an error page reports: walled up, shut with light in the keyhole, ajar,
// or open and dark. The colours are in style/errors.ts.

/**
 * - `walled`: nothing is there
 * - `shut`: it is not public
 * - `ajar`: wait a moment
 * - `dark`: the source does not answer
 */
export type GateState = 'walled' | 'shut' | 'ajar' | 'dark';

const OPENING = 'M38 230V100a62 62 0 0 1 124 0v130z';

const BRICKS =
  'M38 206h124M38 180h124M38 154h124M38 128h124M38 102h124M50 76h100M72 52h56M79 230v-24M121 230v-24M58 206v-26M100 206v-26M142 206v-26M79 180v-26M121 180v-26M58 154v-26M100 154v-26M142 154v-26M79 128v-26M121 128v-26M100 102V76M76 76V54M124 76V54M100 52V39';

const openings: Readonly<Record<GateState, string>> = {
  walled: `<path class="wall" d="${OPENING}"/><path class="bricks" d="${BRICKS}"/>`,
  shut: `<path class="leaf" d="${OPENING}"/><path class="planks" d="M69 228V47M100 228V38M131 228V47"/><path class="light" d="m144 140 5 19h-10zm-6 0a6 6 0 0 1 12 0 6 6 0 0 1-12 0"/>`,
  ajar: `<path class="light" d="${OPENING}"/><path class="leaf" d="M38 230V100a62 62 0 0 1 108-41.5V224z"/><circle class="light" cx="134" cy="140" r="4"/>`,
  dark: `<path class="dark" d="${OPENING}"/><path class="leaf" d="M38 230V100a62 62 0 0 1 58-61.9V214z"/><circle class="knob" cx="86" cy="134" r="4"/>`,
};

/** The arch is of nine stones, each pillar of three. */
const STONES =
  '<path class="stones" stroke-dasharray="24.31 2.5" d="M24 100a76 76 0 0 1 152 0"/><path class="stones" stroke-dasharray="40 2.5" d="M24 102.5V230M176 102.5V230"/>';

/** Hidden from screen readers, because the sentence below says the same. */
export const gateHtml = (state: GateState): string =>
  `<svg class="gate" viewBox="0 0 200 230" aria-hidden="true">${openings[state]}${STONES}</svg>`;
