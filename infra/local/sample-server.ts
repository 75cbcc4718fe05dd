// Serves the sample on loopback: each provider below its name, and the hosts of X for pictures and videos. A post of the
// embed CDN is a file of `sample/syndication`. The official API has no posts.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { listen, stop } from './listen.ts';
import { drawPicture, sizesIn } from './sample-pictures.ts';
import { createSampleProvider, type SampleProvider } from './sample-provider.ts';

const SAMPLE = new URL('./sample/', import.meta.url);

/** Every video of the sample is this one. A player asks for parts of it (RFC 9110 section 14.2). */
const sendVideo = (response: ServerResponse, range = ''): void => {
  const file = readFileSync(new URL('harbour.mp4', SAMPLE));
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const first = Number(from);
  const last = to === '' ? file.length - 1 : Math.min(Number(to), file.length - 1);
  const isPart = from !== '' && first <= last;
  const body = isPart ? file.subarray(first, last + 1) : file;
  response.writeHead(isPart ? 206 : 200, {
    'Content-Type': 'video/mp4',
    'Content-Length': body.length,
    ...(isPart && { 'Content-Range': `bytes ${first}-${last}/${file.length}` }),
  });
  response.end(body);
};

const NOT_FOUND = [{ title: 'Not Found Error', type: 'https://api.twitter.com/2/problems/resource-not-found' }];

const listener = ({ answer }: SampleProvider): RequestListener => {
  let sizes: ReturnType<typeof sizesIn> | undefined;
  return (request, response) => {
    const [, provider = '', path = '/'] = /^\/([a-z_]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const url = new URL(path, 'http://sample');
    const sendJson = (status: number, body: string | Buffer): void =>
      void response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    switch (provider) {
      case 'fxtwitter': {
        const { status, body } = answer(url);
        return sendJson(status, JSON.stringify(body));
      }
      case 'syndication': {
        const [id = ''] = /^[0-9]+$/.exec(url.searchParams.get('id') ?? '') ?? [];
        const file = new URL(`syndication/${id}.json`, SAMPLE);
        if (existsSync(file)) return sendJson(200, readFileSync(file));
        return void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>404</title>');
      }
      case 'x_api':
        return sendJson(200, JSON.stringify({ errors: NOT_FOUND }));
      case 'video':
        return sendVideo(response, request.headers.range);
      case 'pbs': {
        sizes ??= sizesIn([JSON.parse(readFileSync(new URL('posts.json', SAMPLE), 'utf8'))]);
        const picture = drawPicture(url, sizes);
        return void response
          .writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': picture.length })
          .end(picture);
      }
      default:
        return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end();
    }
  };
};

export interface SampleServer {
  /** The base URL of a provider is this origin and the name of the provider. */
  readonly origin: string;
  /** Number of posts. */
  readonly size: number;
  close(): Promise<void>;
}

/** @param port 0 for any free port */
export const startSampleServer = async (host = '127.0.0.1', port = 0): Promise<SampleServer> => {
  const provider = createSampleProvider();
  const server = createServer(listener(provider));
  const origin = await listen(server, host, port);
  return { origin, size: provider.size, close: () => stop(server) };
};
