// What crawlers ask for first. Everything that is public may be read by everybody, programs above all.

import { ADMIN_PREFIXES } from '../contract/admin-operations.ts';
import { documents } from '../contract/documents.ts';
import { BASE_URL_PLACEHOLDER as B } from '../contract/placeholders.ts';
import { pageNames } from './document.ts';
import type { Release } from './release.ts';

/** RFC 9309; `Agentmap` is where ARD looks. */
export const robots = (): string =>
  [
    'User-agent: *',
    ...ADMIN_PREFIXES.map((root) => `Disallow: ${root}/`),
    'Allow: /',
    '',
    `Sitemap: ${B}${documents.sitemap.path}`,
    `Agentmap: ${B}${documents.ard.path}`,
    '',
  ].join('\n');

/** Sitemaps 0.9: the pages of ours. What is read from X is at home there. */
export const sitemap = ({ date }: Release): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pageNames.map((name) => `<url><loc>${B}${documents[name].path}</loc><lastmod>${date}</lastmod></url>`),
    '</urlset>',
    '',
  ].join('\n');
