// Tests that a service passes on every picture and video that its pages link, and nothing else.
import { expect, test } from 'vitest';
import { localOptions, shareService } from '../support/local-service.ts';

const { get } = shareService(localOptions());

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
