// Styles the pages of lists: profiles, people, searches, tabs and the pages of a list.
import type { Html } from '../html.ts';
import { css } from './frame.ts';

export const listStyle: Html = css`
/* The post whose replies, quotes or reposts are listed. */
.about h1 { font-size: clamp(1.25rem, 1.1rem + .8vw, 1.5rem) }
.about > p { margin-top: .5rem }
.about > .quote { margin-bottom: 1rem }

/* The tabs of a profile fit a phone in one line. With larger type they wrap, so that none is out of sight. */
.tabs { display: flex; flex-wrap: wrap; gap: 0 clamp(.9rem, 4vw, 1.5rem); margin-top: 1.5rem; font-size: .9375rem }
@media (max-width: 39.99rem) { .tabs { margin-top: 1rem } }
/* On a phone, the counts of a profile are its links to these lists. */
@media (max-width: 26rem) {
  .who:has(.figures a) + .tabs > :nth-child(n + 5) { display: none }
  .tabs:has(:nth-child(6)):not(.who:has(.figures a) + .tabs) { gap: 0 .2rem; justify-content: space-between; font-size: .8125rem; letter-spacing: -.02em }
}
.tabs > * { flex: none; padding: .6rem 0 .5rem; border-bottom: 3px solid transparent; color: var(--quiet); text-decoration: none }
.tabs a:hover { color: var(--ink); border-color: var(--line) }
.tabs a:focus-visible { outline-offset: -2px }
.tabs [aria-current] { border-color: var(--accent); color: var(--ink); font-weight: 650 }
h1.sr + .tabs { margin-top: 0 }
.tabs + .note, .tabs + .hint { margin-top: 1rem }
/* Beside each other, or on a phone below. */
.seek { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin-top: 1rem; font-size: .9375rem }
.seek > .box { flex: 99 1 15rem; border-color: var(--line) }
.seek input { min-height: 2.25rem }
.seek > .hint { margin-block: 0 }

mark { background: linear-gradient(transparent 15%, var(--glow) 15% 88%, transparent 88%); color: inherit }
.hint { margin-block: 1rem }
.zone { margin-block: .6rem; text-align: end }
.pages { margin-top: .5rem }
.back { display: block; padding-block: .7rem; text-align: center; font-size: .9375rem }

@media print {
  .tabs, .seek, .pages, .hint { display: none }
  .item { break-inside: avoid }
}
`;

/** The head of a profile. */
const profileStyle: Html = css`
/* The banner is a wall, and the picture of the account an arch in it. */
.wall { position: relative; width: 100%; min-height: 6rem; aspect-ratio: 5 / 1; border-bottom: 3px solid var(--stone); background: var(--panel) }
.wall > img { position: absolute; width: 100%; min-height: 100%; max-height: 100%; object-fit: cover }
.wall > .avatar { position: absolute; inset-block-end: 0; inset-inline-start: 1.25rem; width: 6.25rem; border: .35rem solid var(--ground); border-bottom: 0; border-radius: 50% 50% 0 0 / 44% 44% 0 0; font-size: 2.5rem }
.bare { min-height: 0; height: 7.3rem; aspect-ratio: auto; background: none }
@media (max-width: 26rem) { .wall > .avatar { width: 4.75rem } }
.who h1 { margin-top: .8rem; font-size: clamp(1.5rem, 1.2rem + 1.4vw, 1.875rem) }
.who .text { margin-block: .6rem; font-size: 1.125rem }
.who .figures { margin-top: .35rem; color: var(--quiet); font-size: 1rem }
.who .figures b { color: var(--ink); font-weight: 650 }
.who .figures a { display: inline-block; padding-block: .15rem }
`;

/** Accounts as items. */
const peopleStyle: Html = css`
.people { padding: 0; list-style: none }
.people .item { padding-block: .9rem }
.people .name a::after { content: ''; position: absolute; inset: 0 }
.people .name a:focus-visible { outline: 0 }
.people .name a:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px }
.people .item:hover .name a { text-decoration: underline }
.people .text { display: -webkit-box; overflow: hidden; font-size: 1rem; line-height: 1.5; white-space: normal; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
@media (min-width: 40rem) {
  .people .with { grid-template-columns: 2.25rem minmax(0, 1fr) auto }
  .people .text { grid-column: 2 / 4 }
  .people .figures { grid-area: 1 / 3; margin-block: 0 }
}
@media print { .people .text { display: block } }
`;

/** What a page says in the place of items, and the help of searches. */
export const stateStyle: Html = css`
.state { padding-top: clamp(.5rem, 4vw, 2.5rem) }
.state h1, .state h2 { margin-block: 1rem .6rem; font-size: clamp(1.625rem, 1.3rem + 1.6vw, 2.125rem) }
.state summary { padding-block: .25rem; color: var(--quiet); font-size: .875rem }
.state > svg { display: block; width: 5rem; height: 5.75rem; border-bottom: 3px solid var(--stone) }
.state > p { max-width: 34rem }
.shut > h2 { font-size: 1.25rem }
.leaf { fill: var(--leaf) }
.light { fill: var(--lamp) }
.planks { fill: none; stroke: #fff; stroke-opacity: .16; stroke-width: 2.5 }
.stones { fill: none; stroke: var(--stone); stroke-width: 28 }
.ways { margin-block: 1.25rem 1rem; padding: 0; list-style: none }
.ways li { padding-block: .6rem; border-top: 1px solid var(--line) }
.says { display: grid; grid-template-columns: minmax(0, 10.5rem) minmax(0, 1fr); gap: .5rem 1rem; margin-top: 1rem; color: var(--quiet); font-size: .9375rem }
.says dt { color: var(--ink) }
details .says { font-size: .875rem }
.help { margin-top: 1.75rem }
@media print { details:has(.says) { display: none } }
`;

/** By the beginning of a class that only the elements with the style have. */
const PARTS: readonly (readonly [start: string, style: Html])[] = [
  [' class="who', profileStyle],
  [' class="people', peopleStyle],
  [' class="state', stateStyle],
];

/** @returns the styles that the page of a list in the HTML needs */
export const listStylesFor = (shown: Html): readonly Html[] => {
  const text = String(shown);
  return [listStyle, ...PARTS.flatMap(([start, style]) => (text.includes(start) ? [style] : []))];
};

/** The accounts of a timeline of several accounts, and the form below them. */
export const timelineStyle: Html = css`
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

/** Posts with media as tiles. The words of a tile are cut: the whole tile leads to the post. */
export const gridStyle: Html = css`
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr)); gap: 1.5rem .75rem }
.tiles > .zone { grid-column: 1 / -1 }
.tiles > .item { min-width: 0; padding: calc(100% + .4rem) 0 0; border: 0 }
.tiles > .item:not(:has(> .media, > .veil)) { padding-top: 0 }
/* The place of the picture is free before the browser has read as far as the picture, so nothing moves. */
.tiles > .item > :is(.media, .veil) { position: absolute; inset: 0 0 auto; margin: 0 }
.tiles > .item > .media { aspect-ratio: 1 }
.tiles > .item > .media ~ .media, .tiles > .item > :is(.desc, .quote), .tiles > .item > .clips > :nth-child(n + 2) { display: none }
.tiles > .item > .clips { display: block }
.tiles > .item > .media :is(a, button, img, video) { width: 100%; height: 100%; max-height: none; aspect-ratio: auto; object-fit: cover }
/* Two rows of the same height, however tall the pictures are. */
.tiles > .item > .media:has(> :nth-child(3)) { grid-template-rows: 1fr 1fr }
.tiles > .item > .media > * { min-height: 0 }
.tiles > .item > .text { display: -webkit-box; overflow: hidden; font-size: .9375rem; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
.tiles > .with { display: block }
.tiles > .with > .avatar { display: none }
`;
