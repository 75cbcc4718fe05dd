// Styles error pages: the gate, the sentence, the ways on and the countdown.
import { css } from '../css.ts';

export const errorStyle: string = css`
.state { padding-top: clamp(.5rem, 4vw, 2.5rem) }
.gate { display: block; width: 7.5rem; height: 8.625rem; border-bottom: 3px solid var(--stone) }
.wall { fill: var(--panel) }
.bricks, .planks { fill: none; stroke: var(--stone); stroke-width: 2.5 }
.planks { stroke: #fff; stroke-opacity: .16 }
.stones { fill: none; stroke: var(--stone); stroke-width: 28 }
.light { fill: var(--lamp) }
.leaf { fill: var(--leaf) }
.dark { fill: light-dark(#2a332e, #060908) }
.knob { fill: var(--stone) }
.state h1 { margin-block: 1.5rem .6rem; font-size: clamp(1.625rem, 1.3rem + 1.6vw, 2.125rem) }
.state p { max-width: 34rem }
.ways { margin-top: 1.25rem; list-style: none }
.ways li { padding-block: .6rem; border-top: 1px solid var(--line) }
.state .code { max-width: none; margin-top: 1.5rem; color: var(--quiet); font-size: .8125rem }
.code code { color: var(--ink) }
`;

/**
 * Counts `--wait` seconds down without a script. Without motion, and in a browser that does not animate registered
 * properties, the number stays.
 */
export const countdownStyle: string = css`
@property --s { syntax: '<integer>'; inherits: false; initial-value: 0 }
@keyframes wait { from { --s: var(--wait) } to { --s: 0 } }
.count { font-variant-numeric: tabular-nums }
.count::after { --s: var(--wait); content: counter(s); counter-reset: s var(--s); animation: wait calc(var(--wait) * 1s) linear both }
`;
