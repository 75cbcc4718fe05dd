// Replaces placeholders in documents that the build generates. The values are known only at request time.
import { MCP_PATH } from './paths.ts';

export const BASE_URL_PLACEHOLDER = '{base_url}';

/** The replacement is a function, because `$` has a meaning in a replacement string. */
export const fillBaseUrl = (text: string, baseUrl: string): string =>
  text.replaceAll(BASE_URL_PLACEHOLDER, () => baseUrl);

/** The domain of the deployment, and its labels in reverse order. */
export const DOMAIN_PLACEHOLDER = '{domain}';
export const REVERSE_DOMAIN_PLACEHOLDER = '{reverse_domain}';

const FULL_NAME = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** Agent catalogs require a full domain name. A host without one gets a name below `localhost`. */
const domainOf = (baseUrl: string): string => {
  const { hostname } = new URL(baseUrl);
  return FULL_NAME.test(hostname) ? hostname : 'agent.localhost';
};

/** The contact for reports of vulnerabilities. */
export const SECURITY_CONTACT_PLACEHOLDER = '{security_contact}';

/** The configuration of an MCP client as an install link of Cursor contains it: JSON in base64, percent-encoded. */
export const MCP_CONFIG_PLACEHOLDER = '{mcp_config_base64}';

const encodedMcpConfig = (baseUrl: string): string =>
  encodeURIComponent(btoa(JSON.stringify({ url: `${baseUrl}${MCP_PATH}` })));

/** The rules of robots.txt by which crawlers leave out searches and further pages of lists. */
export const CRAWLER_RULES_PLACEHOLDER = '{crawler_rules}\n';

const CRAWLER_RULES = 'Disallow: /search\nDisallow: /*cursor=\n';

/** The SHA-256 of the skill as it is served, in hexadecimal digits. */
export const SKILL_DIGEST_PLACEHOLDER = '{skill_digest}';

export interface PlaceholderValues {
  /** The contact for reports of vulnerabilities, a URI. @default the section of the documentation about it */
  readonly securityContact?: string | undefined;
  /** @default false */
  readonly isIndexed?: boolean | undefined;
}

/** Replaces all placeholders of a document. */
export const fillPlaceholders = (
  text: string,
  baseUrl: string,
  { securityContact, isIndexed = false }: PlaceholderValues = {},
): string => {
  const domain = domainOf(baseUrl);
  const defaultContact = `${BASE_URL_PLACEHOLDER}/docs/self-hosting#security-contact`;
  return fillBaseUrl(
    text.replaceAll(SECURITY_CONTACT_PLACEHOLDER, () => securityContact ?? defaultContact),
    baseUrl,
  )
    .replaceAll(CRAWLER_RULES_PLACEHOLDER, isIndexed ? '' : CRAWLER_RULES)
    .replaceAll(MCP_CONFIG_PLACEHOLDER, () => encodedMcpConfig(baseUrl))
    .replaceAll(DOMAIN_PLACEHOLDER, domain)
    .replaceAll(REVERSE_DOMAIN_PLACEHOLDER, domain.split('.').reverse().join('.'));
};
