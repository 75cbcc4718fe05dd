// Tests that a service passes on every picture and video that its pages link, and nothing else.
import { expect, test } from 'vitest';
import { pictureChecks } from '../../infra/verify/pictures.ts';
import { elapsedClock } from '../../shared/composition/environment.ts';
import { runChecks } from '../../shared/verification/run-checks.ts';
import { createService } from '../../shared/verification/service.ts';
import { localOptions, shareService } from '../support/local-service.ts';
import { startTestServer } from '../support/test-server.ts';

const service = shareService(localOptions());
const { get } = service;

const linked = (html: string): readonly string[] => [
  ...new Set([...html.replaceAll('&amp;', '&').matchAll(/\/assets\/(?:pbs|video)\/[^\s",]+/g)].map(([path]) => path)),
];

test('[pictures 6] every picture and video of a page is passed on, and none with the signature of another', async () => {
  const paths: string[] = [];
  for (const target of ['/i/status/2032396246840246938', '/i/status/2032426445829047012', '/ada_larsson']) {
    const { body } = await get(target, { headers: { accept: 'text/html' } });
    paths.push(...linked(body));
  }
  expect(paths.filter((path) => path.startsWith('/assets/video/')).length).toBeGreaterThan(0);
  expect(paths.length).toBeGreaterThan(10);
  for (const [index, path] of paths.entries()) {
    const other = paths.at(index - 1)?.split('/')[3] ?? '';
    expect((await get(path, { isForeign: true, method: 'HEAD' })).status, path).toBe(200);
    const stolen = path.replace(/[\w-]{16}/, other);
    expect((await get(stolen, { isForeign: true })).status, stolen).toBe(404);
    expect((await get(path.replace(/\/[\w-]{16}/, ''), { isForeign: true })).status, path).toBe(404);
  }
});

/** @param statusOfPart in place of that of the service */
const verify = async (statusOfPart?: number) => {
  const proxy = await startTestServer(async (request, response) => {
    const range = request.headers.range;
    const headers = { accept: request.headers.accept ?? '*/*', ...(range !== undefined && { range }) };
    const answer = await fetch(service.origin + request.url, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const fields = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(?:content-encoding|connection|keep-alive|transfer)/.test(name)),
    );
    const status = range === undefined ? answer.status : (statusOfPart ?? answer.status);
    response.writeHead(status, { ...fields, 'content-length': bytes.length }).end(bytes);
  });
  const verified = createService({
    wall: Date,
    origin: new URL(proxy),
    known: { post: '2032426445829047012', profile: 'ada_larsson' },
  });
  const findings = await runChecks(pictureChecks, verified, { clock: elapsedClock, budgetMilliseconds: 60_000 });
  verified.close();
  return Object.fromEntries(findings.map(({ check, result }) => [check.name, result]));
};

test('[pictures 6] [pictures 7] verify asks for a picture, a part of it, and a file that no page links', async () => {
  expect(await verify()).toEqual({ picture: 'pass', 'picture-part': 'pass', 'picture-unlinked': 'pass' });
  const asStream = await verify(200);
  expect(asStream).toEqual({ picture: 'pass', 'picture-part': 'fail', 'picture-unlinked': 'pass' });
});
