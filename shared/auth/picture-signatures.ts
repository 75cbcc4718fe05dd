// Signs the paths of pictures and videos that pages of this service link (requirements: pictures), so that the service passes
// on nothing else of X. The signature of a file is always the same, so that browsers and shared caches keep it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type HostedFile,
  PICTURE_SIGNATURE_CHARACTERS,
  type ProxyPath,
  parseFileUrl,
  type SignedFile,
  signedPath,
} from '../model/picture-hosts.ts';

/** Cursors and hashes of networks have the same secret. What they sign begins otherwise. */
const PURPOSE = 'picture ';

const signatureOf = (secret: string, { host, path, query }: HostedFile): string =>
  createHmac('sha256', secret)
    .update(`${PURPOSE}${host}${path}${query}`)
    .digest('base64url')
    .slice(0, PICTURE_SIGNATURE_CHARACTERS);

export const createProxyPath =
  (secret: string): ProxyPath =>
  (url) => {
    const file = parseFileUrl(url);
    return file && signedPath({ ...file, signature: signatureOf(secret, file) });
  };

/** @returns true if a page of this service has linked the file */
export type IsLinked = (file: SignedFile) => boolean;

/** @param secrets paths of all of them are accepted, which allows rotation */
export const createLinkCheck =
  (secrets: readonly string[]): IsLinked =>
  (file) => {
    const given = Buffer.from(file.signature);
    return secrets.some((secret) => timingSafeEqual(Buffer.from(signatureOf(secret, file)), given));
  };
