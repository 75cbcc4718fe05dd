// Builds what reads pictures of X. Apart from upstream.ts, so that only answers with pictures load it.
import { createLinkCheck, type IsLinked } from '../auth/picture-signatures.ts';
import { type ProxiedHost, proxiedHosts } from '../model/picture-hosts.ts';
import type { PicturePorts } from '../ports/pictures.ts';
import { env } from '../settings/environment-variables.ts';
import { createFileRequester, createPictureReader } from '../upstream/pictures.ts';
import { type Environment, readCursorSecrets, readVariable } from './environment.ts';
import { readBaseUrls, readProviders, userAgent } from './provider-settings.ts';

/** The sample has its pictures beside the answers of its providers. */
export const readPictureOrigins = (environment: Environment): Readonly<Record<ProxiedHost, string>> => {
  const [name] = readProviders(environment);
  const [baseUrl] = name === undefined ? [] : readBaseUrls(environment, name);
  if (baseUrl === undefined || readVariable(environment, env.upstream) !== 'sample')
    return { pbs: `https://${proxiedHosts.pbs}`, video: `https://${proxiedHosts.video}` };
  const { origin } = new URL(baseUrl);
  return { pbs: `${origin}/pbs`, video: `${origin}/video` };
};

/** @throws Error if no secret is set */
export const linkCheckFromEnvironment = (environment: Environment): IsLinked =>
  createLinkCheck(readCursorSecrets(environment));

/** To the host of pictures at the same time, from one instance. */
const LIMITS = { connections: 16, silenceMilliseconds: 5000 };

export const picturesFromEnvironment = (environment: Environment = process.env): PicturePorts => ({
  readPicture: createPictureReader({
    origins: readPictureOrigins(environment),
    requestFile: createFileRequester(LIMITS).request,
    userAgent: userAgent(undefined),
  }),
});
