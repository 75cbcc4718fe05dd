// Renders links, dates and drawings.
import { visibleUrl } from '../../model/visible-text.ts';
import { formatDate, formatDateTime, formatShortDateTime } from '../content/format.ts';
import { type Html, type HtmlContent, html, joinHtml } from './html.ts';
import { innerPath } from './inner-links.ts';

// Draws the small pictures that a page repeats. A page contains each drawing once, however often it is shown.

const drawings = {
  verified: html`<path fill-rule="evenodd" d="M2 15V7a6 6 0 0 1 12 0v8zm4.9-2.6 5-5.2-1.2-1.1-3.8 4-1.7-1.7L4 9.6z"/>`,
  protected: html`<path fill-rule="evenodd" d="M2 15V7a6 6 0 0 1 12 0v8zm4.9-3h2.2l-.4-2.7a1.6 1.6 0 1 0-1.4 0z"/>`,
  // An opening that is filled with a wall.
  wall: html`<path d="M2 15V7a6 6 0 0 1 12 0v8z"/>`,
} as const satisfies Readonly<Record<string, Html>>;

type SymbolName = keyof typeof drawings;

const reference = (name: string): Html => html`<use href="#i-${name}"/>`;

/** A drawing that says something. */
export const labelledSymbol = (name: SymbolName, label: string): Html =>
  html`<svg role="img" aria-label="${label}">${reference(name)}</svg>`;

/** A drawing beside words that say the same. */
export const decorativeSymbol = (name: SymbolName): Html => html`<svg aria-hidden="true">${reference(name)}</svg>`;

/** @returns the drawings that the HTML shows; undefined if it shows none */
export const symbolsFor = (shown: Html): Html | undefined => {
  const text = String(shown);
  const used = Object.entries(drawings).filter(([name]) => text.includes(String(reference(name))));
  if (used.length === 0) return undefined;
  const symbols = used.map(([name, drawing]) => html`<symbol id="i-${name}" viewBox="0 0 16 16">${drawing}</symbol>`);
  return html`<svg width="0" height="0" aria-hidden="true">${symbols}</svg>`;
};

const WEB_URL = /^https?:\/\//i;

/** A link that leaves the service. A URL of another scheme is not linked. */
export const linkHtml = (url: string, content: HtmlContent, attributes?: Html): Html =>
  WEB_URL.test(url)
    ? html`<a href="${visibleUrl(url)}" rel="nofollow noopener"${attributes}>${content}</a>`
    : html`${content}`;

/** A link within the service. Without a path there is only the content. */
export const innerLinkHtml = (path: string | undefined, content: HtmlContent, attributes?: Html): Html =>
  path === undefined ? html`${content}` : html`<a href="${path}"${attributes}>${content}</a>`;

/** For a link that leads where another link of the same post does: keyboards stop at one of them. */
export const REPEATED: Html = html` tabindex="-1"`;

/** A link to a page on X leads to the page of this service. */
export const anyLinkHtml = (url: string, content: HtmlContent, attributes?: Html): Html => {
  const path = innerPath(url);
  return path === undefined ? linkHtml(url, content, attributes) : innerLinkHtml(path, content, attributes);
};

/**
 * Facts on one line, such as `@ada`, a date and a count. The style sheet separates them by marks, and draws none where a line
 * begins or ends.
 *
 * @returns undefined if no fact writes something
 */
export const factsHtml = (facts: readonly HtmlContent[]): Html | undefined => {
  const written = facts.flatMap((fact) => joinHtml([fact], '') ?? []);
  return written.length < 2
    ? written[0]
    : joinHtml(
        written.map((fact) => html`<span>${fact}</span>`),
        ' ',
      );
};

/** `minute`: 20 March 2026, 10:00 UTC. `day`: 20 March 2026. */
export type DateForm = 'minute' | 'day';

const dateFormats: Readonly<Record<DateForm, (instant: string) => string>> = {
  minute: formatDateTime,
  day: formatDate,
};

/** Absolute, because caches keep the page. */
export const timeHtml = (instant: string, form: DateForm): Html =>
  html`<time datetime="${instant}">${dateFormats[form](instant)}</time>`;

/** What a page says of the dates of its items. */
export interface ItemDates {
  /** The year of the dates that name none; undefined: each names its year. */
  readonly year: string | undefined;
}

/** @param dates unset: nothing says of which zone the times are, so the date itself does */
export const itemDateText = (instant: string, dates: ItemDates | undefined): string =>
  dates === undefined ? `${formatShortDateTime(instant, undefined)} UTC` : formatShortDateTime(instant, dates.year);

/** The date of an item, with the whole instant as its title. */
export const itemDateHtml = (instant: string, dates: ItemDates | undefined): Html =>
  html`<time datetime="${instant}" title="${formatDateTime(instant)}">${itemDateText(instant, dates)}</time>`;

// Draws the gate of the service in the state that an error page reports: behind a wall, shut with light in the keyhole, a
// little open, or open and dark. The colours are in style/errors.ts.

/**
 * - `missing`: nothing is there
 * - `shut`: it is not public
 * - `retry`: wait a moment
 * - `dark`: the source does not answer
 */
export type GateState = 'missing' | 'shut' | 'retry' | 'dark';

const OPENING = 'M38 230V100a62 62 0 0 1 124 0v130z';

const BRICKS =
  'M38 206h124M38 180h124M38 154h124M38 128h124M38 102h124M50 76h100M72 52h56M79 230v-24M121 230v-24M58 206v-26M100 206v-26M142 206v-26M79 180v-26M121 180v-26M58 154v-26M100 154v-26M142 154v-26M79 128v-26M121 128v-26M100 102V76M76 76V54M124 76V54M100 52V39';

const openings: Readonly<Record<GateState, Html>> = {
  missing: html`<path class="wall" d="${OPENING}"/><path class="bricks" d="${BRICKS}"/>`,
  shut: html`<path class="leaf" d="${OPENING}"/><path class="planks" d="M69 228V47M100 228V38M131 228V47"/><path class="light" d="m144 140 5 19h-10zm-6 0a6 6 0 0 1 12 0 6 6 0 0 1-12 0"/>`,
  retry: html`<path class="light" d="${OPENING}"/><path class="leaf" d="M38 230V100a62 62 0 0 1 108-41.5V224z"/><circle class="light" cx="134" cy="140" r="4"/>`,
  dark: html`<path class="dark" d="${OPENING}"/><path class="leaf" d="M38 230V100a62 62 0 0 1 58-61.9V214z"/><circle class="knob" cx="86" cy="134" r="4"/>`,
};

/** The arch is of nine stones, each pillar of three. */
const STONES = html`<path class="stones" stroke-dasharray="24.31 2.5" d="M24 100a76 76 0 0 1 152 0"/><path class="stones" stroke-dasharray="40 2.5" d="M24 102.5V230M176 102.5V230"/>`;

/** Hidden from screen readers, because the sentence below says the same. */
export const gateHtml = (state: GateState): Html =>
  html`<svg class="gate" viewBox="0 0 200 230" aria-hidden="true">${openings[state]}${STONES}</svg>`;
