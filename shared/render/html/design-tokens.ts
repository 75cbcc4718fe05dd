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
