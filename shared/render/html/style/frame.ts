// Styles the frame of every page for readers: type, header with the box, footer, focus, notes and print.
import { type Html, html, trustedHtml } from '../html.ts';

// Defines the design tokens that all pages share: colours for light and dark, faces and radius.

/** The colours. Each is an sRGB value for the light and for the dark scheme. */
const colours = {
  ground: ['#fbfaf6', '#101513'],
  panel: ['#f3f2ec', '#181f1c'],
  field: ['#ffffff', '#0c100e'],
  ink: ['#17201c', '#e5eae7'],
  quiet: ['#55605a', '#a2ada7'],
  accent: ['#0f5f4e', '#7fd3b4'],
  'on-accent': ['#ffffff', '#06231b'],
  edge: ['#7b8780', '#74817a'],
  amber: ['#965e00', '#f0bd55'],
  glow: ['#fdf1d3', '#2b2514'],
  line: ['#dedfd6', '#2c3631'],
  stone: ['#cdd4cd', '#37433d'],
  lamp: ['#ffd67d', '#f0bd55'],
  leaf: ['#16594a', '#0a2c24'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

/** No font is ever loaded. The text face is a serif of Apple, Linux, Windows or Android. */
const others = {
  plain: 'system-ui, sans-serif',
  text: "Charter, 'Charis SIL', 'Sitka Text', Cambria, 'Noto Serif', serif",
  mono: "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  radius: '.4rem',
} as const;

/** The ground of a page in both schemes, for `theme-color`. */
export const GROUND: readonly [light: string, dark: string] = colours.ground;

/** The tokens as CSS custom properties of `:root`. */
export const DESIGN_TOKENS: string = `:root{color-scheme:light dark;${[
  ...Object.entries(colours).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`),
  ...Object.entries(others).map(([name, value]) => `--${name}:${value}`),
].join(';')}}`;

// Shortens the style sheets of pages when a module loads, so that their sources stay readable.

/** Comments do not nest. */
const withoutComments = (style: string): string =>
  style
    .split('/*')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join('');

/** The spaces around these characters have no meaning. A space before a colon can be a descendant combinator. */
const AROUND = / ?([{};,>]) ?/g;

/** The content of a style element. Removes comments and needless spaces. A string in the style sheet must not contain the characters that it joins. */
export const css = (parts: TemplateStringsArray): Html =>
  trustedHtml(
    withoutComments(parts.join(''))
      .replace(/\s+/g, ' ')
      .replace(AROUND, '$1')
      .replace(/: /g, ':')
      .replaceAll(';}', '}')
      .trim(),
  );

/**
 * Separates the facts of a line by marks. A mark stands before its fact, and so never at the end of a line. At the beginning
 * of a line it is outside of the box, which cuts it off. The box is wider than its text by the outline of a link.
 */
export const factsStyle: Html = css`
:is(.meta, .figures, .facts, .item > div:has(> .name)) { margin-inline: -.25rem; padding-inline: .25rem; overflow-x: clip }
:is(.meta, .figures, .facts) > span {
  display: inline-block;
  max-width: 100%;
  margin-inline-end: .65em;
  & + span { margin-inline-start: -.65em; padding-inline-start: .65em }
  & + span::before { content: '·' / ''; display: inline-block; width: .65em; margin-inline-start: -.65em }
}
`;

const rules = css`
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem }
body {
  display: grid;
  grid-template: auto 1fr auto / minmax(1rem, 1fr) minmax(0, 40rem) minmax(1rem, 1fr);
  min-height: 100vh;
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.55 var(--plain);
  overflow-wrap: anywhere;
}
h1, h2, h3, h4, h5, h6, p, ul, ol, dl, dd, figure, blockquote, pre { margin: 0; padding: 0 }
h1, h2, h3, h4, h5, h6 { font-weight: 650; line-height: 1.2; letter-spacing: -.014em; text-wrap: balance }
h2 { font-size: 1.0625rem }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em }
a:hover { text-decoration-thickness: 2px }
img, video { position: relative; display: block; max-width: 100%; height: auto; background: var(--panel); color: var(--quiet); font: .875rem/1.4 var(--plain) }
/* A picture that is missing is a panel with its description, in place of the sign of the browser. */
img::after { content: attr(alt) / ''; position: absolute; inset: 0; overflow: hidden; padding: .6rem .9rem; background: inherit }
code, pre { font: .875em/1.6 var(--mono) }
small { font-size: .8125rem; color: var(--quiet); letter-spacing: 0 }
summary { width: fit-content; cursor: pointer }
/* A date moves to the next line as a whole, and breaks only if it is wider than the page. */
time { display: inline-block; text-decoration: inherit }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.sr, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip:focus { position: absolute; z-index: 1; padding: .6rem 1rem; background: var(--accent); color: var(--on-accent) }

main { grid-column: 2; padding-block: 1.75rem 3rem; outline: 0 }

/* The header has the columns of the page: brand, box, links. */
.top { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; padding-block: .7rem }
.brand { display: flex; grid-column: 1; gap: .55rem; align-items: center; padding-inline-start: 1.5rem; color: var(--ink); font-size: 1.0625rem; font-weight: 700; text-decoration: none; min-height: 2.75rem }
.brand svg { flex: none; width: 1.9rem; height: 1.9rem }
.top nav { grid-column: 3; justify-self: end; padding-inline-end: 1.5rem; font-size: .9375rem }
.top nav a { display: inline-block; padding: .7rem 0; color: var(--quiet) }
/* A field with its button. With larger type the button is below the field, which keeps room for words. */
.box { display: flex; flex-wrap: wrap; grid-column: 2; min-width: 0; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--field) }
.box :is(input, button) { min-width: 0; border: 0; border-radius: var(--radius); background: none; font: inherit }
.box input { flex: 999 1 9rem; min-height: 2.625rem; padding: .25rem .25rem .25rem .9rem; color: inherit }
.box input:focus-visible { outline-offset: -1px }
.box input::placeholder { color: var(--quiet); opacity: 1 }
.box button { flex: 1 0 auto; min-height: 2rem; padding: 0 1rem; color: var(--accent); font-weight: 600; cursor: pointer }
.box button:hover, .more:hover { background: color-mix(in srgb, var(--accent) 9%, transparent) }
@media (max-width: 63.99rem) {
  .top { display: flex; flex-wrap: wrap; gap: .6rem; width: 100%; max-width: 42rem; margin-inline: auto; padding-inline: 1rem }
  .brand { padding: 0 }
  .brand span, .top nav { display: none }
  .top .box { flex: 1 1 11rem }
}

.foot { grid-column: 2; padding-block: 1.25rem 2.5rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem }
.foot a { display: inline-block; margin-inline-end: 1rem; padding-block: .2rem; color: inherit }

/* A warning: the service speaks. */
.note { margin-block: 1rem; padding: .6rem .9rem; border-inline-start: 3px solid var(--amber); background: var(--glow); font-size: .9375rem }
.note + .note { margin-top: -.5rem }

@media print {
  :root { color-scheme: light }
  .top, .foot, .skip { display: none }
  body { display: block; background: #fff; color: #000 }
  main { padding: 0 }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important } }
`;

export const frameStyle: Html = html`${trustedHtml(DESIGN_TOKENS)}${rules}${factsStyle}`;
