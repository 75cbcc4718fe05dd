// Runs the picture proxy as the local service does, before a picture host and with a secret that the test names.
import { createServer } from 'node:http';
import { boundConnections, SERVER_OPTIONS } from '../../infra/local/connections.ts';
import { listen } from '../../infra/local/listen.ts';
import { createLocalMedia, createMediaListener } from '../../infra/local/media.ts';
import { trustedProxies, viewerOf } from '../../infra/local/trusted-proxies.ts';
import { createLinkCheck } from '../../shared/auth/picture-signatures.ts';

const [, , host = '', secret = ''] = process.argv;
const proxies = trustedProxies.parse('127.0.0.1') ?? [];
const media = createLocalMedia({
  origins: { pbs: host, video: host },
  isLinked: createLinkCheck([secret]),
  writeLog: () => undefined,
});
const answer = createMediaListener(media.proxy, undefined);
const server = createServer(SERVER_OPTIONS, (request, response) => {
  const { ip } = viewerOf(request.socket.remoteAddress ?? '', request.rawHeaders, proxies);
  answer(request, response, { viewerIp: ip, baseUrl: 'http://127.0.0.1' });
});
boundConnections(server, () => true);
console.log(`postern listening on ${await listen(server, '127.0.0.1', 0)}`);
