// Builds security.txt, robots.txt, the sitemap, and what lets browsers open links and searches here.
import { ADMIN_PREFIXES } from '../contract/admin-operations.ts';
import { documents } from '../contract/documents.ts';
import { linkPreviewClients } from '../contract/link-preview-clients.ts';
import {
  BASE_URL_PLACEHOLDER as B,
  CRAWLER_RULES_PLACEHOLDER,
  SECURITY_CONTACT_PLACEHOLDER,
} from '../contract/placeholders.ts';
import { DAY_MILLISECONDS } from '../model/instant-text.ts';
import { GROUND } from '../render/html/style/frame.ts';
import { chapters, type PageName, type Release } from './document.ts';

const VALID_DAYS = 364;

const DASHBOARD_RULES = ADMIN_PREFIXES.map((root) => `Disallow: ${root}/`);

/** RFC 9116 section 2.5.5: the date must be less than a year in the future. */
const securityTxtExpiry = ({ date }: Release): Date => new Date(Date.parse(date) + VALID_DAYS * DAY_MILLISECONDS);

export const securityTxt = (release: Release): string =>
  [
    `Contact: ${SECURITY_CONTACT_PLACEHOLDER}`,
    `Expires: ${securityTxtExpiry(release).toISOString().replace('.000Z', 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${B}${documents.securityTxt.path}`,
    '',
  ].join('\n');

/** RFC 9309 section 2.2.1: the name of a program in a rule. */
const PRODUCT_TOKEN = /^[a-z_-]+$/;

/**
 * RFC 9309. Programs that show a preview of a link have rules of their own, because a program follows only the rules that
 * name it. `Agentmap` is a field of ARD.
 */
export const robots = (): string =>
  [
    ...linkPreviewClients
      .filter(({ token, isSearchEngine }) => !isSearchEngine && PRODUCT_TOKEN.test(token))
      .map(({ token }) => `User-agent: ${token}`),
    ...DASHBOARD_RULES,
    'Allow: /',
    '',
    'User-agent: *',
    ...DASHBOARD_RULES,
    `${CRAWLER_RULES_PLACEHOLDER}Allow: /`,
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

/** The parameter of the box on the front page: a link, a handle or words. */
const BOX = 'q';

/** Web Application Manifest: an installed front page is in the menu of shared links. Android puts a link into the text. */
export const manifest = (): string =>
  JSON.stringify({
    id: '/',
    name: 'Postern',
    short_name: 'Postern',
    description: 'Read what is public on X, without an account.',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: GROUND[0],
    theme_color: GROUND[0],
    icons: [
      { src: documents.icon.path, sizes: 'any', type: documents.icon.type },
      { src: documents.touchIcon.path, sizes: '180x180', type: documents.touchIcon.type },
    ],
    share_target: { action: '/', method: 'GET', params: { text: BOX } },
  });

/** OpenSearch 1.1 draft 6: a browser searches with the box. */
export const openSearch = (): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    '<ShortName>Postern</ShortName>',
    '<Description>Read a link, an account or a search of X.</Description>',
    '<InputEncoding>UTF-8</InputEncoding>',
    `<Image width="32" height="32" type="${documents.favicon.type}">${B}${documents.favicon.path}</Image>`,
    `<Url type="text/html" template="${B}/?${BOX}={searchTerms}"/>`,
    `<Url type="${documents.openSearch.type}" rel="self" template="${B}${documents.openSearch.path}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n');
