// Checks the pages for people: their security header fields, and errors as pages.
import { type Answer, requestText, responseHeader } from '../answer.ts';
import { type Check, requireRead, statusText } from '../check.ts';
import { BROWSER_ACCEPT, postPermalink } from './targets.ts';

const LINK_PREVIEW_AGENT = 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)';

const isPage = (answer: Answer): boolean => responseHeader(answer, 'content-type')?.startsWith('text/html') === true;

export const pageChecks: readonly Check[] = [
  {
    name: 'pages',
    statement: 'The front page, the documentation and an unknown path are pages where text/html wins',
    rows: ['problems 1'],
    isInCanary: true,
    run: async (service, verify) => {
      for (const [target, status] of [
        ['/', 200],
        ['/docs', 200],
        ['/docs/no-such-page', 404],
      ] as const) {
        const answer = await service.read(target, BROWSER_ACCEPT);
        verify.equals(answer.status, status, requestText(answer));
        verify.holds(isPage(answer) && /^<!doctype html>/i.test(answer.body), `${statusText(answer)} and no page`);
      }
      return 'three pages';
    },
  },
  {
    name: 'page-of-post',
    statement: 'A permalink is a page for people, with links to its other forms',
    rows: ['pages 1'],
    run: async (service, verify) => {
      // The page of an outage has no problem code, so the permalink is first read as a program reads it.
      requireRead(await service.read(postPermalink(service)));
      const answer = requireRead(await service.read(postPermalink(service), BROWSER_ACCEPT));
      verify.holds(isPage(answer), `${requestText(answer)} is ${responseHeader(answer, 'content-type')}`);
      verify.holds(/property="og:title"/.test(answer.body), 'the page has no og:title');
      const link = responseHeader(answer, 'link') ?? '';
      for (const type of ['text/markdown', 'application/json', 'application/json+oembed']) {
        verify.holds(link.includes(`type="${type}"`), `Link lacks ${type}`);
      }
      return `${answer.bytes} bytes`;
    },
  },
  {
    name: 'link-previews',
    statement:
      'A program that shows link previews gets the page, and another program with the same Accept gets Markdown',
    rows: ['pages 1'],
    isInCanary: true,
    run: async (service, verify) => {
      const target = postPermalink(service);
      const plain = requireRead(await service.read(target, '*/*'));
      verify.holds(!isPage(plain), `${requestText(plain)} is a page`);
      const headers = { Accept: '*/*', 'User-Agent': LINK_PREVIEW_AGENT };
      const preview = requireRead(await service.send(target, { headers }));
      verify.holds(
        isPage(preview),
        `${requestText(preview)} from Discord is ${responseHeader(preview, 'content-type')}`,
      );
      return 'a page for Discord';
    },
  },
  {
    name: 'page-of-error',
    statement: 'An error of a permalink is a page where text/html wins, and the problem document everywhere else',
    rows: ['pages 2'],
    run: async (service, verify) => {
      const target = '/jack/status/0';
      const [page, problem] = [await service.read(target, BROWSER_ACCEPT), await service.read(target)];
      verify.equals([page.status, problem.status], [400, 400], target);
      verify.holds(isPage(page), `the type for a browser is ${responseHeader(page, 'content-type')}`);
      verify.equals(responseHeader(problem, 'content-type'), 'application/problem+json', 'the type for a program');
      return '400 as a page and as a problem document';
    },
  },
  {
    name: 'page-security',
    statement: 'Every page has a content security policy that allows no foreign script and no frame',
    rows: ['problems 7'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const pages = service.answers.filter((answer) => isPage(answer) && answer.status !== 304);
      for (const page of pages) {
        const policy = responseHeader(page, 'content-security-policy') ?? 'absent';
        verify.holds(
          /default-src 'none'/.test(policy),
          `Content-Security-Policy of ${requestText(page)} is ${policy.slice(0, 60)}`,
        );
        verify.holds(/frame-ancestors 'none'/.test(policy), `${requestText(page)} can be framed`);
        const scripts = policy.split(';').filter((directive) => directive.trim().startsWith('script-src'));
        verify.holds(!/unsafe|https?:|\*/.test(scripts.join()), `${requestText(page)} allows foreign scripts`);
      }
      verify.holds(pages.length > 0, 'no answer is a page');
      return `${pages.length} pages`;
    },
  },
];
