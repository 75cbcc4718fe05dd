// Plays a large video of a page in Chromium and in Firefox behind the functions of pictures, as CloudFront and Lambda deliver
// their answers, in a page and opened by its own link: it plays and seeks, and every part of a page is 206. Skipped without a
// browser, or if it cannot decode the video.
import { readFileSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { answerWithFile, mediaPath, startMediaEdge } from '../../support/media-edge.ts';
import { startTestServer } from '../../support/test-server.ts';
import { chromium, firefox } from './browsers.ts';
import { describeInBrowser } from './page-session.ts';

const SAMPLE = readFileSync(new URL('../../../infra/local/sample/harbour.mp4', import.meta.url));
const SAMPLE_WIDTH = 640;
const PADDING = 9_000_000;

/** H.264, as X has it. Firefox takes its decoder from the system. */
const TYPE = 'video/mp4; codecs="avc1.64001f"';

/** The video of the sample with a box without content before its frames (ISO/IEC 14496-12, `free`), so that they are beyond the first part. */
const largeVideo = (): Buffer => {
  const frames = SAMPLE.indexOf('mdat') - 4;
  const head = Buffer.from(SAMPLE.subarray(0, frames));
  // One chunk has all frames: `stco` is size, name, version, count and the place of the chunk.
  const place = head.indexOf('stco') + 12;
  head.writeUInt32BE(head.readUInt32BE(place) + PADDING, place);
  const free = Buffer.alloc(PADDING);
  free.writeUInt32BE(PADDING, 0);
  free.write('free', 4);
  return Buffer.concat([head, free, SAMPLE.subarray(frames)]);
};

const NAME = '[pictures 7] a large video behind CloudFront';

const suite = (browser: () => Browser): void => {
  test.for([
    ['in a page plays and seeks, and each part of it is 206', false],
    ['opened by its own link plays and seeks', true],
  ] as const)('%s', async ([, isOpened], { skip }) => {
    const bytes = largeVideo();
    const host = await startTestServer((request, response) =>
      answerWithFile(request, response, { bytes, type: 'video/mp4' }),
    );
    const viaCloudFront = await startMediaEdge(host);
    const path = mediaPath('https://video.twimg.com/large.mp4');
    const statuses: number[] = [];
    const origin = await startTestServer(async (request, response) => {
      if (!request.url?.startsWith('/assets/')) {
        response.setHeader('Content-Type', 'text/html').end(`<!doctype html><video muted src="${path}"></video>`);
        return;
      }
      const { range } = request.headers;
      const answer = await viaCloudFront(request.url, range === undefined ? {} : { range });
      statuses.push(answer.status);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const page = await browser().newPage();
    onTestFinished(() => page.close());
    const canPlay = await page.evaluate((type) => document.createElement('video').canPlayType(type), TYPE);
    if (canPlay === '') {
      const reason = `${await browser().version()} has no decoder for H.264`;
      console.log(`skipped: ${NAME} (${reason})`);
      skip(reason);
    }
    await page.goto(isOpened ? origin + path : origin);
    // Firefox decodes no video of a page that is behind another.
    await page.bringToFront();
    // Nothing waits inside of the page: the document of a video is sandboxed, so no listener of a test runs in it.
    const video = await page.$('video');
    const time = (): Promise<number> | undefined => video?.evaluate((element) => element.currentTime);
    await video?.evaluate((element) => {
      element.muted = true;
      void element.play();
    });
    await expect.poll(time).toBeGreaterThan(0);
    await video?.evaluate((element) => {
      element.pause();
      element.currentTime = element.duration / 2;
    });
    await expect.poll(() => video?.evaluate((element) => element.seeking || element.readyState < 2)).toBe(false);
    const seen = await video?.evaluate((element) => ({
      place: element.currentTime / element.duration,
      width: element.videoWidth,
      error: element.error?.code,
    }));
    expect(seen).toEqual({ place: expect.closeTo(0.5, 1), width: SAMPLE_WIDTH, error: undefined });
    expect(statuses.length).toBeGreaterThan(1);
    if (!isOpened) expect(new Set(statuses)).toEqual(new Set([206]));
  });
};

describeInBrowser(NAME, suite, [chromium, firefox]);
