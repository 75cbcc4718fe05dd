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

/** The contact for complaints as a URI, the same as people read it, and who runs the service. */
export const ABUSE_CONTACT_PLACEHOLDER = '{abuse_contact}';
const ABUSE_CONTACT_TEXT_PLACEHOLDER = '{abuse_contact_text}';
export const OPERATOR_NAME_PLACEHOLDER = '{operator_name}';

/** Ends the sentence that says for how long the log is kept. */
const LOG_RETENTION_PLACEHOLDER = '{log_retention}';

/** The contact of the OpenAPI description, which has a member of its own for mail. */
const JSON_URL_OF_CONTACT = `"url":"${ABUSE_CONTACT_PLACEHOLDER}"`;

/** RFC 6068 section 2: the mail address ends where the header fields begin. */
const mailAddress = (contact: string): string | undefined => /^mailto:([^?]*)/.exec(contact)?.[1];

/** The configuration of an MCP client as an install link of Cursor contains it: JSON in base64, percent-encoded. */
export const MCP_CONFIG_PLACEHOLDER = '{mcp_config_base64}';

const encodedMcpConfig = (baseUrl: string): string =>
  encodeURIComponent(btoa(JSON.stringify({ url: `${baseUrl}${MCP_PATH}` })));

/** The rules of robots.txt by which crawlers leave out searches, further pages of lists and translations of pages. */
export const CRAWLER_RULES_PLACEHOLDER = '{crawler_rules}\n';

const CRAWLER_RULES = 'Disallow: /search\nDisallow: /*cursor=\nDisallow: /*lang=\n';

/** The SHA-256 of the skill as it is served, in hexadecimal digits. */
export const SKILL_DIGEST_PLACEHOLDER = '{skill_digest}';

/** The place of the bar of sample data in a page, and of the attribute that tells the script how pictures are loaded. */
export const SAMPLE_BAR_PLACEHOLDER = '{sample_bar}';
const PICTURES_PLACEHOLDER = '{proxied_pictures}';

const PROXIED_PICTURES = ' data-pictures="proxied"';

/** The sentence of the front page about where pictures come from. */
const PICTURES_SENTENCE_PLACEHOLDER = '{pictures_sentence}';

const PICTURES_SENTENCES = {
  proxied: 'Pictures and videos come from here, so X does not see you.',
  direct: 'X sees who loads its pictures, but not on which page.',
} as const;

/** The values that the operator gives about themselves. They contain no character that Markdown or JSON would read as markup. */
export interface OperatorValues {
  /** The contact for reports of vulnerabilities, a URI. @default the section of the documentation about it */
  readonly securityContact?: string | undefined;
  /** The contact for complaints, a URI. @default the one for vulnerabilities, or the section about services without one */
  readonly abuseContact?: string | undefined;
  readonly operatorName?: string | undefined;
  /** @default kept until the operator deletes the log */
  readonly logRetentionDays?: number | undefined;
}

export interface PlaceholderValues extends OperatorValues {
  /** @default false */
  readonly isHtml?: boolean;
  /** @default false */
  readonly isIndexed?: boolean | undefined;
  /** HTML. @default the data is live, so there is no bar */
  readonly sampleBar?: string | undefined;
  /** The front page takes pictures through the service. @default false */
  readonly proxiesPictures?: boolean;
}

/** Replaces all placeholders of a document. */
export const fillPlaceholders = (
  text: string,
  baseUrl: string,
  {
    isIndexed = false,
    isHtml = false,
    sampleBar,
    proxiesPictures = false,
    logRetentionDays,
    ...operator
  }: PlaceholderValues = {},
): string => {
  const domain = domainOf(baseUrl);
  const { securityContact, abuseContact, operatorName = 'the operator of this deployment' } = operator;
  const security = securityContact ?? abuseContact ?? `${BASE_URL_PLACEHOLDER}/docs/self-hosting#security-contact`;
  const contact = abuseContact ?? securityContact;
  const mail = mailAddress(contact ?? '');
  /** The settings allow no other character that is markup. */
  const inForm = (value: string): string => (isHtml ? value.replaceAll('&', '&amp;') : value);
  const days = logRetentionDays === 1 ? '1 day' : `${logRetentionDays} days`;
  return fillBaseUrl(
    text
      .replaceAll(SAMPLE_BAR_PLACEHOLDER, () => (sampleBar === undefined ? '' : `\n${sampleBar}`))
      .replaceAll(PICTURES_PLACEHOLDER, proxiesPictures ? PROXIED_PICTURES : '')
      .replaceAll(PICTURES_SENTENCE_PLACEHOLDER, PICTURES_SENTENCES[proxiesPictures ? 'proxied' : 'direct'])
      .replaceAll(SECURITY_CONTACT_PLACEHOLDER, () => inForm(security))
      .replaceAll(JSON_URL_OF_CONTACT, (url) => (mail === undefined ? url : `"email":"${mail}"`))
      .replaceAll(ABUSE_CONTACT_PLACEHOLDER, () => inForm(contact ?? `${BASE_URL_PLACEHOLDER}/docs/removal#no-contact`))
      .replaceAll(ABUSE_CONTACT_TEXT_PLACEHOLDER, () => inForm(mail ?? contact ?? 'no contact is given'))
      .replaceAll(OPERATOR_NAME_PLACEHOLDER, () => inForm(operatorName))
      .replaceAll(
        LOG_RETENTION_PLACEHOLDER,
        logRetentionDays === undefined ? 'until the operator deletes it' : `for ${days}`,
      ),
    baseUrl,
  )
    .replaceAll(CRAWLER_RULES_PLACEHOLDER, isIndexed ? '' : CRAWLER_RULES)
    .replaceAll(MCP_CONFIG_PLACEHOLDER, () => encodedMcpConfig(baseUrl))
    .replaceAll(DOMAIN_PLACEHOLDER, domain)
    .replaceAll(REVERSE_DOMAIN_PLACEHOLDER, domain.split('.').reverse().join('.'));
};
