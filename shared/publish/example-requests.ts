// Defines an example request per use case. The bundled sample data contains the answers.
import type { ParameterName } from '../contract/parameters.ts';
import type { UseCaseName } from '../contract/use-cases.ts';

export type ExampleParameters = Partial<Readonly<Record<ParameterName, string>>>;

export const exampleRequests = {
  readPost: { url: 'https://x.com/jack/status/20' },
  readProfile: { handle: 'X', limit: '1' },
  listFollowers: { handle: 'ada_larsson', limit: '1' },
  listFollowing: { handle: 'ada_larsson', limit: '1' },
  searchPosts: { q: '#ferries', limit: '1' },
  readOembed: { url: 'https://x.com/jack/status/20' },
} as const satisfies Readonly<Record<UseCaseName, ExampleParameters>>;

/** Example values of parameters that the requests above do not use. */
export const exampleValues = {
  id: '20',
  handle: 'jack',
  max_tokens: '2000',
  maxwidth: '550',
  feed: 'latest',
} as const satisfies ExampleParameters;
