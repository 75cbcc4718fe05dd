// Plays a large video of a page in Chromium and in Firefox behind the functions of pictures, as CloudFront and Lambda deliver
// their answers: it plays and seeks, and every part is 206. Skipped without a browser, or if it cannot decode the video.
import { readFileSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { answerWithFile, mediaPath, startMediaEdge } from '../../support/media-edge.ts';
import { startTestServer } from '../../support/test-server.ts';
import { chromium, firefox } from './browsers.ts';
import { describeInBrowser } from './page-session.ts';

const SAMPLE = readFileSync(new URL('../../../infra/local/sample/harbour.mp4', import.meta.url));
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
  test('plays and seeks, and each part of it is 206', async ({ skip }) => {
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
    await page.goto(origin);
    const seen = await page.evaluate(async () => {
      const video = document.querySelector('video');
      if (video === null) throw new Error('no video');
      await video.play();
      video.pause();
      const { promise, resolve } = Promise.withResolvers<void>();
      video.addEventListener('seeked', () => resolve(), { once: true });
      video.currentTime = video.duration / 2;
      await promise;
      return {
        isThere: video.currentTime >= video.duration / 2 - 0.1,
        width: video.videoWidth,
        error: video.error?.code,
      };
    });
    expect(seen).toEqual({ isThere: true, width: expect.any(Number), error: undefined });
    expect(seen.width).toBeGreaterThan(0);
    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses)).toEqual(new Set([206]));
  });
};

describeInBrowser(NAME, suite, [chromium, firefox]);
