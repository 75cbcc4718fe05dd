// Styles the page of a post: what it answers, the post itself, and the parts of a thread.
import { css } from '../css.ts';

export const conversationStyle: string = css`
.context { margin-bottom: 2rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--stone); color: var(--quiet); font-size: .875rem }
.context .item { border: 0; padding-block: .9rem 0 }
.context .text { color: var(--quiet) }
.context summary { margin-top: .6rem; padding-block: .2rem }

.focal > .by { margin-bottom: 1.1rem }
.focal > .by .face { width: 3rem }
.focal > .text, .part > .text { font-size: 1.1875rem; line-height: 1.6 }
@media (max-width: 39.99rem) { .focal > .text, .part > .text, .prose { font-size: 1.125rem } }
.focal .short { font-size: 1.5rem; line-height: 1.4; text-wrap: pretty }
.focal > .figures { margin-top: 1.25rem }
.part > .title { margin-block: 1rem .6rem; font: 700 1.4375rem/1.25 var(--text) }

/* Numbers are in the margin. Where there is none, they are in the gap above the part. */
.part { position: relative }
.part + .part { margin-top: 1.5rem }
.day { margin-bottom: .4rem }
.n { position: absolute; inset: -1.3rem 0 auto auto; margin: -.3rem; padding: .3rem; color: var(--quiet); font: .75rem/1 var(--plain); font-variant-numeric: tabular-nums; text-decoration: none }
.n:hover { text-decoration: underline }
.asked > .n { color: var(--amber); font-weight: 700 }
.asked::before { content: ''; position: absolute; inset: 0 auto 0 -.8rem; width: .25rem; border-radius: 1rem 1rem 0 0; background: var(--amber) }
@media (min-width: 52rem) {
  .part > .n { inset: .5rem 100% auto auto; margin-inline-end: .8rem; font-size: .8125rem; white-space: nowrap }
}
@media print {
  .n, .asked::before, #replies { display: none }
  .part { break-inside: avoid }
}
`;
