// Builds security.txt, robots.txt and the sitemap. All public routes are open to crawlers.
import { ADMIN_PREFIXES } from '../contract/admin-operations.ts';
import { documents } from '../contract/documents.ts';
import { BASE_URL_PLACEHOLDER as B, SECURITY_CONTACT_PLACEHOLDER } from '../contract/placeholders.ts';
import { DAY_MILLISECONDS } from '../model/instant-text.ts';
import { chapters, type PageName } from './document.ts';
import type { Release } from './release.ts';

const VALID_DAYS = 364;

/** RFC 9116 section 2.5.5: the date must be less than a year in the future. */
export const securityTxtExpiry = ({ date }: Release): Date =>
  new Date(Date.parse(date) + VALID_DAYS * DAY_MILLISECONDS);

export const securityTxt = (release: Release): string =>
  [
    `Contact: ${SECURITY_CONTACT_PLACEHOLDER}`,
    `Expires: ${securityTxtExpiry(release).toISOString().replace('.000Z', 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${B}${documents.securityTxt.path}`,
    '',
  ].join('\n');

/** RFC 9309. `Agentmap` is a field of ARD. */
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

/** Sitemaps 0.9. It lists the pages of this site only, because the canonical URLs of posts and profiles are on X. */
export const sitemap = ({ date }: Release): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...['home' as const, ...chapters].map(
      (name: PageName) => `<url><loc>${B}${documents[name].path}</loc><lastmod>${date}</lastmod></url>`,
    ),
    '</urlset>',
    '',
  ].join('\n');
