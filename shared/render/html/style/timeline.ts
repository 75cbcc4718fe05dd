// Styles the accounts of a timeline of several accounts, and the form below them.
import { css } from './frame.ts';

export const timelineStyle: string = css`
.accounts h1 { font-size: clamp(1.25rem, 1.1rem + .8vw, 1.5rem) }
.accounts ul { display: flex; flex-wrap: wrap; gap: .4rem; margin-block: .9rem; list-style: none }
.accounts li { display: flex; align-items: center; border: 1px solid var(--line); border-radius: var(--radius); font-size: .9375rem }
.accounts li > :first-child { padding: .25rem .2rem .25rem .6rem }
.accounts li a { min-width: 1.75rem; text-decoration: none }
.accounts li a:hover { text-decoration: underline }
.accounts li a + a, .accounts small + a { padding: .25rem .3rem; color: var(--quiet); text-align: center }
.accounts .lost { border-style: dashed }
.accounts .lost small { padding-inline: .2rem }
/* The fold of many accounts. */
.accounts summary { margin-top: .6rem; padding-block: .25rem; color: var(--accent) }
.accounts > .meta { margin-top: .4rem }
.add { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; font-size: .9375rem }
.add label { color: var(--quiet) }
.add :is(input, button) { min-height: 2.25rem; padding: .25rem .7rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--field); color: var(--ink); font: inherit }
.add input { flex: 1; min-width: 0; width: 8rem }
.add input::placeholder { color: var(--quiet); opacity: 1 }
.add button { background: none; color: var(--accent); font-weight: 600; cursor: pointer }
@media print { .add, .accounts li a + a, .accounts small + a { display: none } }
`;
