// Checks from outside that pages load their pictures through the service, and that parts of files arrive as parts.
import { proxiedHosts } from '../../shared/model/picture-hosts.ts';
import { type Answer, responseHeader } from '../../shared/verification/answer.ts';
import { type Check, Skipped, statusText } from '../../shared/verification/check.ts';
import type { Service } from '../../shared/verification/service.ts';

const PATH = /"(\/assets\/(?:pbs|video)\/[^\s",]+)/;

/** @returns a picture or video of a page */
const findPath = async (service: Service): Promise<string> => {
  const { post, profile } = service.known;
  for (const target of [`/${profile}`, `/i/status/${post}`]) {
    const page = await service.read(target, 'text/html');
    const [, path] = PATH.exec(page.body) ?? [];
    if (path !== undefined) return path.replaceAll('&amp;', '&');
    if (page.body.includes(proxiedHosts.pbs))
      throw new Skipped(`${target} loads its pictures from X (pictures: direct)`);
  }
  throw new Skipped(`neither /${profile} nor /i/status/${post} has a picture: name others by --profile and --post`);
};

const partText = (answer: Answer): string =>
  `${statusText(answer)} with Content-Length ${responseHeader(answer, 'content-length')} and Content-Range ${responseHeader(answer, 'content-range')}`;

export const pictureChecks: readonly Check[] = [
  {
    name: 'picture',
    statement: 'a picture of a page is passed on',
    rows: ['pictures 1'],
    run: async (service, { holds }) => {
      const answer = await service.send(await findPath(service));
      holds(answer.status === 200, `${statusText(answer)}, expected 200`);
      const type = responseHeader(answer, 'content-type') ?? 'no type';
      holds(/^(?:image\/(?:jpeg|png|gif|webp)|video\/mp4)$/.test(type), `the type is ${type}`);
      return `${type}, ${answer.bytes} bytes`;
    },
  },
  {
    name: 'picture-part',
    statement: 'a part of a file is 206 with its length',
    rows: ['pictures 7'],
    run: async (service, { holds }) => {
      const answer = await service.send(await findPath(service), { headers: { Range: 'bytes=0-1' } });
      const isPart = answer.status === 206 && /^bytes 0-1\/\d+$/.test(responseHeader(answer, 'content-range') ?? '');
      holds(
        isPart && answer.bytes === 2 && responseHeader(answer, 'content-length') === '2',
        `${partText(answer)}, expected 206 with 2 bytes`,
      );
      return 'bytes=0-1';
    },
  },
  {
    name: 'picture-unlinked',
    statement: 'a file that no page links is not found',
    rows: ['pictures 6'],
    run: async (service, { holds }) => {
      const path = (await findPath(service)).replace(/(\/assets\/\w+\/)[^/]+/, '$1AAAAAAAAAAAAAAAA');
      const answer = await service.send(path);
      holds(answer.status === 404, `${statusText(answer)}, expected 404`);
      return path.slice(0, 40);
    },
  },
];
