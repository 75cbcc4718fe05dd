// Fuzzes the readers of addresses: URLs of posts and profiles, and the box.
import { boxTarget, parseBox } from '../../../shared/model/box.ts';
import { parsePostLink, parsePostUrl, parseProfileUrl } from '../../../shared/model/post-ref.ts';
import { addressTexts } from '../../generators/addresses.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const ORIGIN = 'https://postern.example';
const KNOWN_HOST =
  /^(?:postern\.example|(?:(?:www\.|mobile\.|m\.)?(?:x|twitter)|(?:www\.)?(?:fxtwitter|vxtwitter|fixupx|fixvx|twittpr|xcancel))\.com|(?:www\.)?nitter\.net)\.?$/;

/** The URL as browsers read it. */
const urlOf = (text: string): URL => {
  const written = text.trim();
  return new URL(/^https?:\/\//i.test(written) ? written : `https://${written.replace(/^\/\//, '')}`);
};

const judgePost = (input: string, ref: ReturnType<typeof parsePostUrl>): void => {
  if ('error' in ref) return;
  const { hostname, username, password, href } = urlOf(input);
  ensure(KNOWN_HOST.test(hostname), 'a post on another host');
  ensure(username === '' && password === '', 'credentials in a URL');
  ensure(/^[1-9][0-9]{0,18}$/.test(ref.id) && BigInt(ref.id) < 2n ** 63n, 'not an id');
  ensure(ref.handle === undefined || /^[A-Za-z0-9_]{1,15}$/.test(ref.handle), 'not a handle');
  ensure(href.includes(ref.id) && href.includes(ref.handle ?? ''), 'a part that the URL does not have');
};

const judgeBox = (input: string): void => {
  const meaning = parseBox(input, ORIGIN);
  ensure((meaning === undefined) === (input.toWellFormed().trim() === ''), 'a text without a meaning');
  if (meaning === undefined || meaning.kind === 'error') return;
  const { path, query } = boxTarget(meaning);
  ensure(/^\/[A-Za-z0-9_]+(?:\/[a-z_0-9]+)*$/.test(path), 'not a path of the service');
  ensure(query === undefined || (query.q.isWellFormed() && query.q.length <= 512), 'not a query');
  if (meaning.kind === 'search') return;
  const again = parseBox(ORIGIN + path, ORIGIN);
  ensure(again !== undefined && again.kind === meaning.kind, 'another meaning of the own link');
};

export const target: FuzzTarget = {
  judge(input) {
    judgePost(input, parsePostUrl(input, ORIGIN));
    judgePost(input, parsePostLink(input, ORIGIN));
    const handle = parseProfileUrl(input, ORIGIN);
    ensure(handle === undefined || /^[A-Za-z0-9_]{1,15}$/.test(handle), 'not the handle of a profile');
    ensure(handle === undefined || KNOWN_HOST.test(urlOf(input).hostname), 'a profile on another host');
    judgeBox(input);
  },
  seeds: addressTexts,
};
