// Defines the registry that the official conformance suite expects by name: tools, resources and prompts that only show
// how each kind of content is returned.
import { InvalidParams, type Registry } from '../../functions/mcp/registry.ts';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** Contains no samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const results: Readonly<Record<string, object>> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: { content: [text('This tool intentionally returns an error for testing')], isError: true },
  json_schema_2020_12_tool: { content: [text('As it is.')] },
};

/** Every keyword must reach the client unchanged. */
const RICH_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const tools = Object.keys(results).map((name) => ({
  name,
  title: name,
  description: 'A fixture.',
  inputSchema: name === 'json_schema_2020_12_tool' ? RICH_SCHEMA : { type: 'object', properties: {} },
  annotations: {},
}));

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const contentsOf = (uri: string): object | undefined => {
  if (uri === 'test://static-text') {
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
};

const user = (content: object) => ({ role: 'user', content });

const promptMessages: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => readonly object[]>> = {
  test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    user(embedded(String(resourceUri), 'text/plain', 'Embedded resource content for testing.')),
    user(text('Please process the embedded resource above.')),
  ],
  test_prompt_with_image: () => [user(image), user(text('Please analyze the image above.'))],
};

const argument = (name: string) => ({ name, description: 'A fixture.', required: true });

const promptArguments: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const prompts = Object.keys(promptMessages).map((name) => ({
  name,
  description: 'A fixture.',
  arguments: (promptArguments[name] ?? []).map(argument),
}));

/** Casts the registry, because its contents have more kinds than those of the service. */
export const fixtureRegistry = {
  serverInfo: { name: 'fixtures', title: 'Fixtures', version: '1.0.0' },
  instructions: 'Fixtures of a conformance suite.',
  tools,
  resources: [
    { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  ],
  resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  prompts,
  async callTool(name: string) {
    const result = results[name];
    if (result === undefined) throw new InvalidParams(`Unknown tool: ${name}`);
    return result;
  },
  async readResource(uri: string) {
    const contents = contentsOf(uri);
    if (contents === undefined) throw new InvalidParams('Resource not found', { uri });
    return { contents: [contents] };
  },
  getPrompt(name: string, args: unknown) {
    const messages = promptMessages[name];
    if (messages === undefined) throw new InvalidParams(`Unknown prompt: ${name}`);
    return { description: 'A fixture.', messages: messages((args ?? {}) as Record<string, unknown>) };
  },
} as unknown as Registry;
