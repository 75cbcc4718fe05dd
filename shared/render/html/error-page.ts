// Renders the page of an error: the gate in its state, one sentence, an explanation, ways on, and the code for programs.
import { factsHtml, type GateState, gateHtml, linkHtml } from './elements.ts';
import { escaped, type Html, html } from './html.ts';
import { htmlPage, type PageService } from './page.ts';
import type { Reading } from './reading.ts';
import { css } from './style/frame.ts';

// Styles error pages: the gate, the sentence, the ways on and the countdown.

export const errorStyle: Html = css`
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
export const countdownStyle: Html = css`
@property --s { syntax: '<integer>'; inherits: false; initial-value: 0 }
@keyframes wait { from { --s: var(--wait) } to { --s: 0 } }
.count { font-variant-numeric: tabular-nums }
.count::after { --s: var(--wait); content: counter(s); counter-reset: s var(--s); animation: wait calc(var(--wait) * 1s) linear both }
`;

/** A countdown within a text, in whole seconds. */
export interface Countdown {
  readonly seconds: number;
}

/** Words of the caller within a text of the service. Their direction does not change the text around them. */
export interface Quotation {
  readonly quoted: string;
}

/** Plain text, with countdowns and words of the caller in it. */
export type Phrase = readonly (string | Countdown | Quotation)[];

export interface Way {
  /** A path of this service, or the URL of a page on X. */
  readonly href: string;
  readonly label: Phrase;
  /** Follows the link. */
  readonly note?: Phrase;
}

export interface ErrorPage {
  readonly state: GateState;
  /** @default the text of the heading */
  readonly title?: string;
  readonly heading: Phrase;
  readonly text: string;
  readonly ways: readonly Way[];
  /** Status, code and reason. */
  readonly facts: readonly string[];
  /** The path of the documentation of the code. */
  readonly meaning: string;
  /** The path of the same problem as a problem document; unset: it has none. */
  readonly document?: string | undefined;
  /** The content of the box. */
  readonly query?: string | undefined;
  readonly service: PageService | undefined;
  /** As in Page. */
  readonly reading?: Reading | undefined;
}

/** The moving number is hidden from screen readers: they read the number of seconds once. */
const countdownHtml = ({ seconds }: Countdown): Html =>
  html`<span class="count" aria-hidden="true"></span><span class="sr">${seconds}</span>`;

const partHtml = (part: Phrase[number]): Html => {
  if (typeof part === 'string') return escaped(part);
  return 'seconds' in part ? countdownHtml(part) : html`<bdi>${part.quoted}</bdi>`;
};

const phraseHtml = (phrase: Phrase): Html => html`${phrase.map(partHtml)}`;

const partText = (part: Phrase[number]): string => {
  if (typeof part === 'string') return part;
  return 'seconds' in part ? String(part.seconds) : part.quoted;
};

const phraseText = (phrase: Phrase): string => phrase.map(partText).join('');

const OUTSIDE = html` <span aria-hidden="true">↗</span>`;

const wayHtml = ({ href, label, note = [] }: Way): Html => {
  const link = href.startsWith('/')
    ? html`<a href="${href}">${phraseHtml(label)}</a>`
    : linkHtml(href, html`${phraseHtml(label)}${OUTSIDE}`);
  return html`<li>${link}${phraseHtml(note)}</li>`;
};

const secondsIn = (phrase: Phrase): readonly number[] =>
  phrase.flatMap((part) => (typeof part === 'object' && 'seconds' in part ? [part.seconds] : []));

const codeHtml = ({ facts, meaning, document }: ErrorPage): Html | undefined =>
  factsHtml([
    ...facts.map((fact) => html`<code>${fact}</code>`),
    html`<a href="${meaning}">What this code means</a>`,
    document !== undefined && html`<a href="${document}">As a problem document</a>`,
  ]);

export const errorPageHtml = (page: ErrorPage): Html => {
  const { state, heading, title = phraseText(heading).replace(/\.$/, ''), text, ways, query, service } = page;
  const [seconds] = [heading, ...ways.map(({ note = [] }) => note)].flatMap(secondsIn);
  const list = ways.length > 0 && html`\n<ul class="ways">${ways.map(wayHtml)}</ul>`;
  return htmlPage({
    title,
    query,
    service,
    reading: page.reading,
    styles: [errorStyle, ...(seconds === undefined ? [] : [countdownStyle, html`:root{--wait:${seconds}}`])],
    main: html`<div class="state">
${gateHtml(state)}
<h1>${phraseHtml(heading)}</h1>
<p>${text}</p>${list}
<p class="facts code">${codeHtml(page)}</p>
</div>`,
  });
};
