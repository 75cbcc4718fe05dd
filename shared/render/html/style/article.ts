// Styles articles: cover, title, prose, code and the table of contents.
import { css } from '../css.ts';

export const articleStyle: string = css`
.story > .cover { margin-bottom: 1.5rem }
.story h1 { margin-bottom: 1.25rem; font: 700 clamp(1.75rem, 1.2rem + 2.4vw, 2.5rem)/1.15 var(--text); letter-spacing: -.012em }
/* X crops covers to 5:2 and does not name their size. */
.cover { justify-items: stretch }
.media.cover img { width: 100%; aspect-ratio: 5 / 2; object-fit: cover }
.prose { font: 1.1875rem/1.65 var(--text) }
.prose > * + * { margin-top: 1.05em }
.prose :is(p, li) { white-space: pre-wrap; unicode-bidi: plaintext; text-align: start }
.prose :is(h2, h3, h4, h5, h6) { margin-top: 1.7em; font: 700 1.1875rem/1.25 var(--text) }
.prose h2 { font-size: 1.4375rem }
.prose :is(h2, h3, h4, h5, h6) + * { margin-top: .5em }
.prose :is(ul, ol) { padding-inline-start: 1.4em }
.prose li + li { margin-top: .3em }
.prose > blockquote:not(.quote) { padding-inline-start: 1.1rem; border-inline-start: 3px solid var(--accent); font-style: italic }
.prose > .quote { font-size: 1rem }
.prose pre { overflow-x: auto; padding: .9rem 1.1rem; border-radius: var(--radius); background: var(--panel); font-size: .875rem; overflow-wrap: normal; tab-size: 2 }
.prose hr { margin: 2rem 0; border: 0; color: var(--edge); text-align: center }
.prose hr::before { content: '∩' / ''; font: 1.5rem/1 var(--plain) }
.plan { display: none }
@media (min-width: 80rem) {
  .plan { position: sticky; top: 1.5rem; display: block; grid-row: 2; grid-column: 1; align-self: start; justify-self: end; width: 13rem; max-height: calc(100vh - 3rem); overflow-y: auto; padding: 2.1rem 2.5rem 0 0; font-size: .875rem }
  .plan ol { border-inline-start: 1px solid var(--line); list-style: none }
  .plan a { display: block; padding: .2rem 0 .2rem .8rem; color: var(--quiet); text-decoration: none }
  .plan a:hover { color: var(--ink); text-decoration: underline }
}
@media print { .plan { display: none } .prose pre { white-space: pre-wrap } }
`;
