// `CHROMIUM=/usr/bin/chromium npm run update -- icons`: draws the raster icons and the picture of link previews from SVG, and
// writes them to functions/discovery/page/icons. The committed files were drawn with the font Liberation Sans.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { answerHelp } from '../../../infra/command/answer-help.ts';
import { PREVIEW_PICTURE } from '../../../shared/render/html/head.ts';
import { GROUND } from '../../../shared/render/html/style/frame.ts';
import { chromium } from './browsers.ts';
import { ico, indexedPng, type Raster, truecolourPng } from './png.ts';

answerHelp();

const PAGE = fileURLToPath(new URL('../../../functions/discovery/page/', import.meta.url));
const [LIGHT_GROUND] = GROUND;

const ICO_SIDES = [16, 32, 48] as const;
/** The joints of the stones and the knob are thinner than a pixel below this side. */
const DETAIL_SIDE = 32;
const TOUCH_SIDE = 180;
const TOUCH_MARGIN = 24;

const draw = async (page: Page, svg: string, width: number, height: number): Promise<Raster> => {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const pixels = await page.evaluate(`(async () => {
    const picture = new Image();
    picture.src = ${JSON.stringify(source)};
    await picture.decode();
    const canvas = new OffscreenCanvas(${width}, ${height});
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0, ${width}, ${height});
    return Array.from(context.getImageData(0, 0, ${width}, ${height}).data);
  })()`);
  if (!Array.isArray(pixels)) throw new Error('the browser returned no pixels');
  return { width, height, rgba: Buffer.from(pixels) };
};

const contentOf = (icon: string): string => icon.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');

/** Browsers scale the icon to this side, so the file has its own width and height. */
const square = (content: string, side: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 32 32">${content}</svg>`;

/** An opaque ground, because iOS shows transparency as black. */
const touchIcon = (content: string): string => {
  const inner = TOUCH_SIDE - 2 * TOUCH_MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${TOUCH_SIDE}" height="${TOUCH_SIDE}"><path fill="${LIGHT_GROUND}" d="M0 0h${TOUCH_SIDE}v${TOUCH_SIDE}H0z"/><svg x="${TOUCH_MARGIN}" y="${TOUCH_MARGIN}" width="${inner}" height="${inner}" viewBox="0 0 32 32">${content}</svg></svg>`;
};

const ARCH =
  '<path fill="#ffd67d" d="M38 230V100a62 62 0 0 1 124 0v130z"/><path fill="#16594a" d="M38 230V100a62 62 0 0 1 58-61.9V214z"/>' +
  '<circle fill="#ffd67d" cx="86" cy="134" r="4"/><g fill="none" stroke="#cdd4cd" stroke-width="28"><path stroke-dasharray="24.31 2.5" d="M24 100a76 76 0 0 1 152 0"/>' +
  '<path stroke-dasharray="40 2.5" d="M24 102.5V230M176 102.5V230"/></g>';

const line = (y: number, size: number, weight: number, fill: string, text: string): string =>
  `<text x="96" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${text}</text>`;

const previewPicture = ({ width, height }: typeof PREVIEW_PICTURE): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="'Liberation Sans',Arial,sans-serif">` +
  `<path fill="${LIGHT_GROUND}" d="M0 0h${width}v${height}H0z"/>` +
  `<svg x="740" y="92" width="380" height="437" viewBox="0 0 200 230">${ARCH}</svg>` +
  `<path fill="#cdd4cd" d="M80 529h1040v6H80z"/>` +
  line(268, 112, 700, '#17201c', 'Postern') +
  line(340, 36, 400, '#55605a', 'Public posts on X as pages,') +
  line(390, 36, 400, '#55605a', 'as Markdown and as JSON.') +
  '</svg>';

const icon = contentOf(await readFile(`${PAGE}icon.svg`, 'utf8'));
const withoutDetails = icon.replace(/<(?:path stroke|circle)[^>]*>/g, '');
const browser = await chromium.launch();
try {
  const page = await browser.newPage();
  const sides = await Promise.all(
    ICO_SIDES.map(async (side) => {
      const svg = square(side < DETAIL_SIDE ? withoutDetails : icon, side);
      return [side, truecolourPng(await draw(page, svg, side, side))] as const;
    }),
  );
  const touch = await draw(page, touchIcon(icon), TOUCH_SIDE, TOUCH_SIDE);
  const { width, height } = PREVIEW_PICTURE;
  const files = {
    'favicon.ico': ico(sides),
    'apple-touch-icon.png': indexedPng(touch),
    'preview.png': indexedPng(await draw(page, previewPicture(PREVIEW_PICTURE), width, height)),
  };
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(`${PAGE}icons/${name}`, bytes);
    console.log(`${name.padEnd(24)}${bytes.length} bytes`);
  }
} finally {
  await browser.close();
}
