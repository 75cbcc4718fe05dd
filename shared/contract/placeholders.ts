// Fills what is known only at request time into texts that are built ahead.

/** Stands for `{base_url}` in texts that are written ahead. */
export const BASE_URL_PLACEHOLDER = '{base_url}';

/** `$` in an address is just a character. */
export const fillBaseUrl = (text: string, baseUrl: string): string =>
  text.replaceAll(BASE_URL_PLACEHOLDER, () => baseUrl);

/** The domain that a deployment speaks for, and the same in the order of packages. */
export const DOMAIN_PLACEHOLDER = '{domain}';
export const REVERSE_DOMAIN_PLACEHOLDER = '{reverse_domain}';

const FULL_NAME = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** Catalogs of agents want a full domain name: what has none is somewhere on this machine. */
const domainOf = (baseUrl: string): string => {
  const { hostname } = new URL(baseUrl);
  return FULL_NAME.test(hostname) ? hostname : 'agent.localhost';
};

/** Where holes in a deployment can be reported. */
export const SECURITY_CONTACT_PLACEHOLDER = '{security_contact}';

/**
 * A document made ahead -> what a deployment publishes.
 *
 * @param contact a URI; @default the section of the documentation about it
 */
export const fillPlaceholders = (text: string, baseUrl: string, contact?: string): string => {
  const domain = domainOf(baseUrl);
  const ownContact = `${BASE_URL_PLACEHOLDER}/docs/self-hosting#security-contact`;
  return fillBaseUrl(
    text.replaceAll(SECURITY_CONTACT_PLACEHOLDER, () => contact ?? ownContact),
    baseUrl,
  )
    .replaceAll(DOMAIN_PLACEHOLDER, domain)
    .replaceAll(REVERSE_DOMAIN_PLACEHOLDER, domain.split('.').reverse().join('.'));
};
