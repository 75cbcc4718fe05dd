// Reads the settings of the providers from the environment. Apart from upstream.ts, so that a command can read them without
// the HTTP client.
import packageJson from '../../package.json' with { type: 'json' };
import { defaultProviders, type ProviderName, providers } from '../contract/providers.ts';
import { env, environmentDefaults } from '../settings/environment-variables.ts';
import { baseUrlsOf, postId, providerNameList } from '../settings/feature-parsers.ts';
import { looksLikeCrawler } from '../upstream/fxtwitter/requests.ts';
import { type Environment, parseVariable } from './environment.ts';

/** In order of preference. */
export const readProviders = (environment: Environment): readonly ProviderName[] =>
  parseVariable(environment, env.providers, providerNameList) ?? defaultProviders;

/** @returns at least one */
export const readBaseUrls = (environment: Environment, name: ProviderName): readonly string[] =>
  parseVariable(environment, providers[name].variable, baseUrlsOf(name)) ?? [providers[name].baseUrl];

export const readCanaryPost = (environment: Environment): string =>
  parseVariable(environment, env.canaryPost, postId) ?? environmentDefaults[env.canaryPost];

/** Names the service and its URL. The URL is left out if a provider would take the service for a crawler. */
export const userAgent = (baseUrl: string | undefined): string => {
  const name = `Postern/${packageJson.version}`;
  return baseUrl === undefined || looksLikeCrawler(baseUrl) ? name : `${name} (+${baseUrl})`;
};
