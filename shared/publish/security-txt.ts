// Builds /.well-known/security.txt (RFC 9116): the contact for vulnerability reports and its expiry date.
import { documents } from '../contract/documents.ts';
import { BASE_URL_PLACEHOLDER as B, SECURITY_CONTACT_PLACEHOLDER } from '../contract/placeholders.ts';
import { DAY_MILLISECONDS } from '../model/instant-text.ts';
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
