// Says what a deployment changes for callers: routes, cache behaviors, the domain and the code.
import { isDeepStrictEqual } from 'node:util';
import { type Change, plural, wordList } from './change.ts';
import {
  isObject,
  type Resource,
  resourcesOfType,
  type Template,
  textProperty,
  textsIn,
  type Value,
} from './template.ts';

const FUNCTION = 'AWS::Lambda::Function';

const only = (template: Template, type: string): Resource | undefined => resourcesOfType(template, type)[0]?.[1];

const distributionConfig = (template: Template): Value => {
  const config = only(template, 'AWS::CloudFront::Distribution')?.properties['DistributionConfig'];
  return isObject(config) ? config : {};
};

const patternsIn = (template: Template): readonly string[] => {
  const behaviors = distributionConfig(template)['CacheBehaviors'];
  return Array.isArray(behaviors)
    ? textsIn(behaviors.map((row) => (isObject(row) ? row['PathPattern'] : undefined)))
    : [];
};

const routesIn = (template: Template): readonly string[] =>
  resourcesOfType(template, 'AWS::ApiGatewayV2::Route').flatMap(([, route]) => textProperty(route, 'RouteKey') ?? []);

const missingIn = (names: readonly string[], among: readonly string[]): readonly string[] =>
  names.filter((name) => !among.includes(name));

const comparedLists = (
  before: readonly string[],
  after: readonly string[],
  added: (names: string) => string,
  removed: (names: string) => string,
): readonly Change[] => {
  const gone = missingIn(before, after);
  const news = missingIn(after, before);
  return [
    ...(gone.length > 0 ? [{ topic: 'callers', text: removed(wordList(gone)) } as const] : []),
    ...(news.length > 0 ? [{ topic: 'callers', text: added(wordList(news)) } as const] : []),
  ];
};

const domainChanges = (before: Template, after: Template): readonly Change[] => {
  const old = textsIn(distributionConfig(before)['Aliases']);
  const next = textsIn(distributionConfig(after)['Aliases']);
  const gone = missingIn(old, next);
  const news = missingIn(next, old);
  return [
    ...(gone.length > 0
      ? [{ topic: 'callers', text: `the domain ${wordList(gone)} no longer works`, needsYes: true } as const]
      : []),
    ...(news.length > 0
      ? [{ topic: 'callers', text: `the service answers at the domain ${wordList(news)}` } as const]
      : []),
  ];
};

/** The functions of both templates, by logical id. */
const functionsOf = (before: Template, after: Template): readonly (readonly [string, Resource, Resource])[] =>
  resourcesOfType(after, FUNCTION).flatMap(([id, next]) => {
    const old = before.resources.get(id);
    return old === undefined ? [] : [[id, old, next] as const];
  });

const codeChanges = (before: Template, after: Template): readonly Change[] => {
  const both = functionsOf(before, after);
  const changed = both.filter(([, old, next]) => !isDeepStrictEqual(old.properties['Code'], next.properties['Code']));
  if (changed.length === 0) return [];
  const names = changed.map(([id]) => id.replace(/Function$/, '').toLowerCase());
  const text = changed.length === both.length ? `all ${plural(both.length, 'function')} get` : `${wordList(names)} get`;
  return [{ topic: 'callers', text: `${text} new code` }];
};

const CLOUDFRONT_PARTS: Readonly<Record<string, string>> = {
  'AWS::CloudFront::Function': 'the edge function, which normalizes requests, changes',
  'AWS::CloudFront::CachePolicy': 'the cache policies change',
  'AWS::CloudFront::ResponseHeadersPolicy': 'the headers that CloudFront adds change',
  'AWS::CloudFront::OriginRequestPolicy': 'the headers that CloudFront forwards change',
};

const cloudFrontChanges = (before: Template, after: Template): readonly Change[] =>
  Object.entries(CLOUDFRONT_PARTS).flatMap(([type, text]): readonly Change[] => {
    const properties = (template: Template) => resourcesOfType(template, type).map(([, part]) => part.properties);
    return isDeepStrictEqual(properties(before), properties(after)) ? [] : [{ topic: 'callers', text }];
  });

const environmentOf = ({ properties }: Resource): Value => {
  const { Environment } = properties;
  return isObject(Environment) && isObject(Environment['Variables']) ? Environment['Variables'] : {};
};

/** Values of other forms are references, and long values may be hashes. */
const shownValue = (value: unknown): string => {
  if (value === undefined || value === '') return 'unset';
  return typeof value === 'string' && value.length <= 40 && !value.includes('{{') ? value : 'another value';
};

/**
 * Says which environment variables change. It stands in for the settings if the deployed release did not record them.
 */
export const environmentChanges = (before: Template, after: Template): readonly Change[] => {
  const texts = functionsOf(before, after).flatMap(([, old, next]) => {
    const [from, to] = [environmentOf(old), environmentOf(next)];
    return Object.keys({ ...from, ...to })
      .filter((name) => !isDeepStrictEqual(from[name], to[name]))
      .map((name) => `the variable ${name}: ${shownValue(from[name])} -> ${shownValue(to[name])}`);
  });
  return [...new Set(texts)].map((text) => ({ topic: 'callers', text }));
};

export const callerChanges = (before: Template, after: Template): readonly Change[] => [
  ...domainChanges(before, after),
  ...comparedLists(
    routesIn(before),
    routesIn(after),
    (names) => `new routes: ${names}`,
    (names) => `routes that no longer exist: ${names}`,
  ),
  ...comparedLists(
    patternsIn(before),
    patternsIn(after),
    (names) => `CloudFront treats these paths in their own way: ${names}`,
    (names) => `CloudFront treats these paths as all others: ${names}`,
  ),
  ...codeChanges(before, after),
  ...cloudFrontChanges(before, after),
];
