// Rejects requests to /mcp by their Origin, media type and body size, before the body is parsed.
import { MAX_BODY_BYTES } from '../../shared/contract/mcp.ts';
import { problem } from '../../shared/contract/problems.ts';
import { type HttpEvent, headerOf, methodOf } from '../../shared/http/event.ts';
import type { Middleware } from '../../shared/http/pipeline.ts';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/;
const SECURE = /^https:\/\/[^/\s]+$/;

/** Allows pages over HTTPS and pages of this machine. The service sets no cookies that a page could misuse. */
const isAllowedOrigin = (origin: string): boolean => SECURE.test(origin) || LOOPBACK.test(origin);

const isJson = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type);

export const bodyText = ({ body = '', isBase64Encoded }: HttpEvent): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

export const mcpRequestGuard: Middleware = {
  before: ({ event }) => {
    if (methodOf(event) !== 'POST') return;
    const origin = headerOf(event, 'origin');
    if (origin !== undefined && !isAllowedOrigin(origin)) {
      throw problem('forbidden_origin', { detail: 'Origin is neither a secure page nor one of this machine.' });
    }
    if (!isJson(headerOf(event, 'content-type') ?? '')) throw problem('unsupported_media_type');
    if (Buffer.byteLength(bodyText(event)) > MAX_BODY_BYTES) {
      throw problem('content_too_large', { detail: `The body has more than ${MAX_BODY_BYTES} bytes.` });
    }
  },
};
