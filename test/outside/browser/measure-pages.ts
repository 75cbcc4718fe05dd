// `npm run measure -- pages`: prints a table of the pages for readers: layout shift, weight, requests and the largest text.
// Needs CHROMIUM, the path of a Chromium.
// `--width 1280` for another width than 390.
import { parseArgs } from 'node:util';
import { answerHelp } from '../../../infra/command/answer-help.ts';
import { startLocalService } from '../../../infra/local/service.ts';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { chromium } from './browsers.ts';
import { type Observation, observePage } from './observe-page.ts';
import { READER_PAGES } from './reader-page-list.ts';

answerHelp();

const { values } = parseArgs({ options: { width: { type: 'string', default: '390' } } });

const cells = (name: string, { status, bytes, pictures, foreign, layoutShift, largestText }: Observation) => [
  name,
  String(status),
  (bytes / 1000).toFixed(1),
  String(1 + pictures),
  String(foreign.length),
  layoutShift.toFixed(4),
  largestText ?? '-',
];

const HEADER = ['page', 'status', 'HTML, kB', 'requests', 'to others', 'layout shift', 'largest text'];

const row = (columns: readonly string[]): string => `| ${columns.join(' | ')} |`;

const browser = await chromium.launch();
const service = await startLocalService({
  host: '127.0.0.1',
  port: 0,
  environment: { UPSTREAM: 'sample', DATA_DIR: 'memory', ...AMPLE_ALLOWANCES },
  writeLog: () => undefined,
});
try {
  console.log(row(HEADER));
  console.log(row(HEADER.map(() => '---')));
  for (const readerPage of READER_PAGES) {
    const context = await browser.createBrowserContext();
    const { observation } = await observePage(context, service.origin, readerPage, {
      width: Number(values.width),
      scheme: 'light',
    });
    console.log(row(cells(readerPage.name, observation)));
    await context.close();
  }
} finally {
  await browser.close();
  await service.close();
}
