// Serves the resources: a guide, and posts and profiles by URI with the text of the tools.
import { Problem } from '../../shared/contract/problems.ts';
import type { CallTool } from './call-tool.ts';
import { guide } from './instructions.ts';
import { InvalidParams, type Registry, type ResourceContents, type ToolContext } from './registry.ts';
import { problemData, problemText } from './tool-results.ts';
import type { ToolUseCase } from './tools.ts';

const MIME_TYPE = 'text/markdown';
const GUIDE_URI = 'postern://guide';

export const resources = [
  {
    uri: GUIDE_URI,
    name: 'guide',
    title: 'Guide to the tools',
    description: 'How to use the tools, what they cost, and what cannot be read.',
    mimeType: MIME_TYPE,
  },
];

interface Template {
  readonly uri: RegExp;
  readonly useCase: ToolUseCase;
  readonly argument: string;
}

const templates: readonly Template[] = [
  { uri: /^postern:\/\/posts\/([^/?#]+)$/, useCase: 'readPost', argument: 'id' },
  { uri: /^postern:\/\/profiles\/([^/?#]+)$/, useCase: 'readProfile', argument: 'handle' },
];

export const resourceTemplates = [
  {
    uriTemplate: 'postern://posts/{id}',
    name: 'post',
    title: 'Post',
    description: 'A public post with the conversation around it.',
    mimeType: MIME_TYPE,
  },
  {
    uriTemplate: 'postern://profiles/{handle}',
    name: 'profile',
    title: 'Profile',
    description: 'A public profile with its recent posts. Costs one of the browse allowance.',
    mimeType: MIME_TYPE,
  },
];

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the validation of the parameter rejects it
  }
};

const NO_SUCH_RESOURCE =
  'There is no such resource. Read postern://guide, postern://posts/{id} or postern://profiles/{handle}.';

export const createResourceReader =
  (callTool: CallTool): Registry['readResource'] =>
  async (uri: string, context: ToolContext) => {
    const contents = (text: string): { readonly contents: readonly ResourceContents[] } => ({
      contents: [{ uri, mimeType: MIME_TYPE, text }],
    });
    if (uri === GUIDE_URI) return contents(guide(context.baseUrl));
    for (const { uri: pattern, useCase, argument } of templates) {
      const [, value] = pattern.exec(uri) ?? [];
      if (value === undefined) continue;
      try {
        return contents((await callTool(useCase, { [argument]: decoded(value) }, context)).text);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        throw new InvalidParams(problemText(error, context.baseUrl), { uri, ...problemData(error) });
      }
    }
    throw new InvalidParams(NO_SUCH_RESOURCE, { uri });
  };
