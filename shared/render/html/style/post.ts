// Styles posts: text, byline, items of lists and the other forms of a page, and apart from them what not every post has.
import { type Html, html } from '../html.ts';
import { css } from './frame.ts';

// Styles articles: cover, title, prose, code and the table of contents.

export const articleStyle: Html = css`
.story > .cover { margin-bottom: 1.5rem }
.story h1 { margin-bottom: 1.25rem; font: 700 clamp(1.75rem, 1.2rem + 2.4vw, 2.5rem)/1.15 var(--text); letter-spacing: -.012em }
/* X crops covers to 5:2 and does not name their size. */
.cover { justify-items: stretch }
.media.cover img { width: 100%; aspect-ratio: 5 / 2; object-fit: cover }
.prose { font: 1.1875rem/1.65 var(--text) }
.prose > * { overflow-y: clip; overflow-clip-margin: .3em }
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

// Styles the page of a post: what it answers, the post itself, and the parts of a thread.

export const conversationStyle: Html = css`
.context { margin-bottom: 2rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--stone); color: var(--quiet); font-size: .875rem }
.context .item { border: 0; padding-block: .9rem 0 }
.context .text { color: var(--quiet) }
.context summary { margin-top: .6rem; padding-block: .2rem }

.focal > .by { margin-bottom: 1.1rem }
.focal > .by .avatar { width: 3rem }
.focal > .text, .part > .text { font-size: 1.1875rem; line-height: 1.6 }
@media (max-width: 39.99rem) { .focal > .text, .part > .text, .prose { font-size: 1.125rem } }
.focal .short { font-size: 1.5rem; line-height: 1.4; text-wrap: pretty }
.focal > .figures { margin-top: 1.25rem }
.part > .title { margin-block: 1rem .6rem; font: 700 1.4375rem/1.25 var(--text) }

/* Numbers are in the margin. Where there is none, they are above the text of the part. */
.part { position: relative }
.part + .part { margin-top: 2.25rem }
.day { margin-bottom: .4rem }
.n { position: absolute; inset: -1.1rem auto auto 0; min-width: 1.5rem; margin: -.4rem -.5rem; padding: .4rem .5rem; color: var(--quiet); font: .75rem/1 var(--plain); font-variant-numeric: tabular-nums; text-decoration: none }
.n:hover { text-decoration: underline }
.asked > .n { color: var(--amber); font-weight: 700 }
.asked::before { content: ''; position: absolute; inset: 0 auto 0 -.8rem; width: .25rem; border-radius: 1rem 1rem 0 0; background: var(--amber) }
@media (min-width: 52rem) {
  .part + .part { margin-top: 1.5rem }
  .part > .n { inset: .5rem 100% auto auto; margin-inline-end: .3rem; font-size: .8125rem; white-space: nowrap }
}

/* The picture that the address names, whole above the others. */
.named { grid-template-columns: repeat(3, 1fr) }
.whole { grid-column: 1 / -1; order: -1 }
.whole img { width: 100% }
.wide { flex-direction: column }
.wide img { width: 100%; aspect-ratio: 1.91 }
/* The still of a video in a file that is kept. */
.media > a { position: relative }
.media > a > span { position: absolute; inset: auto auto .4rem .4rem; padding-inline: .4rem; border-radius: var(--radius); background: var(--ground) }
@media print {
  .n, .asked::before, #replies { display: none }
  .part { break-inside: avoid }
}
`;

/** The style of every page that shows posts. */
export const textStyle: Html = css`
/* Marks that are stacked on letters stay within the text or name that they belong to. */
:is(.text, .title, .name, .who h1, .meta bdi) { overflow-y: clip; overflow-clip-margin: .3em }
.item > div:has(> .name) { margin-block: -.25rem; padding-block: .25rem; overflow-y: clip }
.meta bdi { display: inline-block; max-width: 100%; text-decoration: inherit }
/* The words of authors have the text face. The words of the service have the plain face. */
.text { font: 1.0625rem/1.55 var(--text); text-align: start; unicode-bidi: plaintext; white-space: pre-wrap }
:is(.text, .title):is(:lang(ja), :lang(zh), :lang(ko), :lang(ar), :lang(fa), :lang(ur), :lang(he), :lang(th), :lang(hi)) { font-family: var(--plain) }
.text:is(:lang(ja), :lang(zh), :lang(ko), :lang(ar), :lang(fa), :lang(ur), :lang(he), :lang(th), :lang(hi)) { line-height: 1.75 }
.text a { text-decoration-color: color-mix(in srgb, currentcolor 40%, transparent) }

.meta, .figures, .hid, .hid a, .other-forms a, .other-forms summary { color: var(--quiet) }
.meta, .figures { font-size: .875rem; font-variant-numeric: tabular-nums }
:is(.name, .title, .meta, .figures) a { color: inherit; text-decoration: none }
:is(.name, .title, .meta, .figures) a:hover { text-decoration: underline }
.figures .on { color: var(--accent); font-weight: 600 }
.avatar {
  position: relative;
  display: grid;
  flex: none;
  place-items: center;
  width: 2.25rem;
  aspect-ratio: 6 / 7;
  overflow: hidden;
  border-radius: 50% 50% .2rem .2rem / 43% 43% .2rem .2rem;
  background: var(--stone);
  color: var(--ink);
  font-weight: 650;
  text-decoration: none;
}
/* The picture covers the letter. A browser draws a sign for a missing picture whose CSS has a height. */
.avatar img { position: absolute; inset: 0; width: 100%; min-height: 100%; object-fit: cover; background: none }
.by { display: flex; gap: .75rem; align-items: center }
.by > div { min-width: 0 }
.name { font-size: 1rem; line-height: 1.3; font-weight: 650; letter-spacing: -.006em }
.name svg, .meta svg { width: .95em; height: .95em; margin-inline-start: .3em; fill: var(--accent); vertical-align: -.12em }

.item { position: relative; padding-block: 1.1rem; border-top: 1px solid var(--line) }
/* The link of the date covers its item or quote, below the links in it. */
.at::after { content: ''; position: absolute; inset: 0; border-radius: var(--radius) }
.item > :not(.quote) .at::after { inset-inline: -.75rem }
.at:is(:hover, :focus-visible)::after { background: color-mix(in srgb, var(--accent) 6%, transparent) }
:is(.item, .quote) :is(a:not(.at), .media button, summary, video, .quote) { position: relative; z-index: 1 }
/* A selection that begins beside the item reaches its text. The margins of the grid are not of main, so it would begin with the page. */
main { --beside: clamp(0px, 50vw - 50% - 1rem, 4rem); margin-inline: calc(-1 * var(--beside)); padding-inline: var(--beside) }
:root:active:not(:has(.at:active)) .at::after { pointer-events: none }
.with { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); column-gap: .75rem }
.with > * { grid-column: 2; min-width: 0 }
.with > .avatar { grid-area: 1 / 1 / span 9; align-self: start }
.item > .text { margin-top: .25rem }
.item > .figures { margin-top: .5rem }
.item .name { display: inline }
.item > .title { margin-top: .3rem; font: 650 1.1875rem/1.25 var(--text) }
.list > h2:not(.sr) { margin: 2.25rem 0 .75rem }
.list > h2 small { font-weight: 400 }
/* WCAG 2.5.8: a target has at least 24 px. */
.hint > a { display: inline-block; padding-block: .2rem }
.more + .hint { margin-top: .6rem }
.item .meta a { padding-block: .3rem }
.at time { text-decoration: underline; text-decoration-color: color-mix(in srgb, currentcolor 35%, transparent) }
.more { display: block; margin-top: .5rem; padding: .7rem 1rem; border: 1px solid var(--edge); border-radius: var(--radius); font-weight: 600; text-align: center; text-decoration: none }

/* The other forms of the page, and the one link to X. */
.other-forms { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; align-items: baseline; margin-top: 1.5rem; padding-block: .5rem; border-top: 3px solid var(--stone); font-size: .875rem }
.other-forms p { display: flex; flex-wrap: wrap; gap: 0 .9rem; align-items: baseline; color: var(--quiet) }
.other-forms a, .other-forms summary { padding-block: .25rem }
.other-forms :is(a, summary):hover { color: var(--ink) }
.other-forms .out { margin-inline-start: auto }
.other-forms details[open] { flex-basis: 100%; order: 9 }
.other-forms dl { display: grid; gap: .5rem; padding-block: .5rem .75rem }
.other-forms code { display: block; padding: .5rem .7rem; border-radius: var(--radius); background: var(--panel); font-size: .8125rem }
.other-forms code, .addr code { -webkit-user-select: all; user-select: all }
.addr { color: var(--quiet); font-size: .875rem }

/* Less air on a phone, so that a screen has more posts. */
@media (max-width: 39.99rem) {
  main { padding-top: 1rem }
  .item { padding-block: .85rem }
  .item > .figures { margin-top: .3rem }
}

@media print {
  .other-forms, .more { display: none }
  .addr { margin-top: 1rem }
}
`;

/** Media, polls, cards, quotes, tombstones and notes. */
export const attachmentStyle: Html = css`
.desc, .gone { color: var(--quiet) }
:is(.desc p, .poll span, .card :is(b, small)) { overflow-y: clip; overflow-clip-margin: .3em }
.media, .poll, .card, .quote, .gone, .aside, .veil > summary { margin-top: 1rem }
.media, .card, .quote, .gone, .aside, .veil > summary { border-radius: var(--radius) }
.media { display: grid; gap: 3px; justify-items: start; overflow: hidden }
.media :is(a, button, img, video) { display: block; max-width: 100%; min-width: 0 }
.media :is(img, video) { max-height: 38rem; object-fit: contain; border-radius: var(--radius) }
.media .unsized { aspect-ratio: 3 / 2 }
.many { grid-template-columns: 1fr 1fr; justify-items: stretch }
.many > :not(.whole) img, .many > video { width: 100%; height: 100%; object-fit: cover; border-radius: 0 }
.many > :not(.whole) img, .many > video:not(.row) { aspect-ratio: 3 / 2 }
.many > video { object-fit: contain }
.media.two :is(img, video:not(.row)) { aspect-ratio: 1 }
.three { grid-template-rows: 1fr 1fr }
.three > * { min-height: 0 }
.three > :first-child { grid-row: span 2 }
.three > :first-child img { aspect-ratio: 3 / 4; max-height: none }
.desc { margin-top: .4rem; font: .8125rem/1.5 var(--plain) }
.desc p { margin-top: .2rem }
.gone, .veil > summary { padding: .65rem .9rem; border: 1px dashed var(--edge); font-size: .9375rem }
.gone { display: flex; gap: .7rem; align-items: center }
.gone svg { flex: none; width: 1.5rem; height: 1.5rem; fill: var(--stone) }

.poll { display: grid; gap: .6rem; padding: 0; font-size: .9375rem; font-variant-numeric: tabular-nums; list-style: none }
.poll li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .15rem 1rem }
.poll svg { grid-column: 1 / -1; width: 100%; height: .5rem; border-radius: .25rem; background: var(--panel); fill: var(--stone) }
.poll .most { font-weight: 650 }
.poll .most svg { fill: var(--accent) }

.card { display: flex; overflow: hidden; border: 1px solid var(--line) }
.card img { flex: none; width: clamp(5.5rem, 30vw, 8.5rem); height: auto; aspect-ratio: 1; object-fit: cover }
.card > span { min-width: 0; padding: .75rem .9rem; font-size: .9375rem }
.card b { display: block; font-weight: 650; line-height: 1.3 }
.card small { display: block; margin-top: .2rem }
.card .lines { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }

.quote { position: relative; border: 1px solid var(--line); border-inline-start: 3px solid var(--stone); font-family: var(--plain) }
.quote, .aside { padding: .8rem 1rem .9rem }
:is(.quote, .aside) .text { font-size: 1rem; line-height: 1.5 }
.quote .by { gap: .55rem; margin-bottom: .4rem }
.quote .avatar { width: 1.6rem; font-size: .8125rem }
.quote .title { font-weight: 650 }
.aside { background: var(--glow) }
.aside > b { font-size: .875rem }
:is(.media, .card, .desc, .strip) + .meta { margin-top: .4rem }
.card { color: inherit; text-decoration: none }
.card:hover b { text-decoration: underline }
@media print {
  .desc summary { display: none }
  .media, .quote, .card { break-inside: avoid }
}
`;

/** The viewer of the large pictures. */
export const viewerStyle: Html = css`
.media button, .strip button { padding: 0; border: 0; background: none; color: inherit; font: inherit }
.media button { cursor: zoom-in }
.strip { inset: 0; width: 100%; max-width: none; height: 100%; max-height: none; padding: 0; border: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 var(--plain) }
.strip p { white-space: pre-wrap }
.strip:popover-open { display: flex; overflow: auto hidden; overscroll-behavior: contain; scroll-snap-type: x mandatory }
.strip figure { display: grid; flex: 0 0 100%; min-width: 0; height: 100%; overflow: hidden; grid-template-rows: minmax(0, 1fr) auto; gap: .75rem; padding: 3.25rem 1rem 1rem; scroll-snap-align: center; scroll-snap-stop: always }
.strip img { width: 100%; height: 100%; background: none; object-fit: scale-down }
.strip figcaption { max-height: 30vh; overflow-y: auto; width: 100%; max-width: 40rem; margin-inline: auto }
/* A long description scrolls below the links. */
.strip .meta { position: sticky; bottom: 0; display: flex; gap: 1.25rem; align-items: baseline; background: var(--ground) }
.strip .meta a { padding-block: .6rem; color: var(--accent) }
.strip .meta a:last-child { margin-inline-start: auto }
.strip > button { position: fixed; inset: .25rem .25rem auto auto; padding: .6rem 1rem; color: var(--accent); font-weight: 600; cursor: pointer }
/*
 * The first picture that can be focused takes the focus as the viewer opens, and scrolls into view. Until then, those before
 * the picture that was pressed cannot. Safari does not focus a button that a pointer presses: it begins with the first.
 */
.many:has(> :nth-child(2 of button):focus) + .strip > :first-child, .many:has(> :nth-child(3 of button):focus) + .strip > :nth-child(-n + 2), .many:has(> :nth-child(4 of button):focus) + .strip > :nth-child(-n + 3) { visibility: hidden }
@supports not selector(:popover-open) {
  .strip { display: block; height: auto }
  .strip figure { display: block; padding: 0 }
  .strip :is(img, button) { display: none }
}
@media print { .strip { display: none !important } }
`;

/** Videos among pictures. */
export const clipsStyle: Html = css`
/*
 * A video takes a row where half of the column is too narrow for its controls, with the proportions that its attributes name.
 * The pictures around it fill the others.
 */
.clips { grid-template-rows: none; grid-auto-flow: dense }
.clips.named { grid-template-columns: 1fr 1fr }
.three > .row:first-child, .named > .row { grid-area: auto / 1 / auto / -1; height: auto; max-height: 22rem }
@media (min-width: 40rem) {
  .clips:where(:not(.named)) > .row:where(:not(.three > :first-child)) { aspect-ratio: 3 / 2 }
  .two.clips > .row { aspect-ratio: 1 }
}
@media (max-width: 39.99rem) {
  .media.clips > :not(.row) { grid-row: auto }
  .media.clips > :not(.whole) img { aspect-ratio: 3 / 2 }
  .media.clips > .row { grid-area: auto / 1 / auto / -1; height: auto; max-height: 22rem }
  .clips > :nth-child(odd of :not(.row)):nth-last-child(1 of :not(.row)) { grid-column: 1 / -1 }
}
`;

/** @returns the styles that the viewers and the grids with videos in the HTML need */
export const mediaStylesFor = (shown: Html): readonly Html[] => {
  const text = String(shown);
  return [
    ...(text.includes('<div class="strip"') ? [viewerStyle] : []),
    ...(/<div class="media many[a-z ]* clips"/.test(text) ? [clipsStyle] : []),
  ];
};

export const postStyle: Html = html`${textStyle}${attachmentStyle}`;

const ATTACHMENT = /class="(?:media|poll|card|quote|gone|aside|veil)[ "]/;

/** @returns the styles that posts in the HTML need */
export const postStylesFor = (shown: Html): readonly Html[] =>
  ATTACHMENT.test(String(shown)) ? [postStyle] : [textStyle];
