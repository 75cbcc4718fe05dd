// Serves the resources: a guide, and posts and profiles by URI with the text of the tools.
import { Problem } from '../../shared/contract/problems.ts';
import type { CallTool } from './call-tool.ts';
import { guide } from './instructions.ts';
import { InvalidParams, type Registry, type ResourceContents, type ToolContext } from './registry.ts';
import { problemData, problemText } from './tool-results.ts';
import { findTool, type ToolName } from './tools.ts';

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
  readonly tool: ToolName;
  readonly argument: string;
}

const templates: readonly Template[] = [
  { uri: /^postern:\/\/posts\/([^/?#]+)$/, tool: 'x_get_post', argument: 'id' },
  { uri: /^postern:\/\/profiles\/([^/?#]+)$/, tool: 'x_get_profile', argument: 'handle' },
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
    for (const { uri: pattern, tool: name, argument } of templates) {
      const [, value] = pattern.exec(uri) ?? [];
      const tool = findTool(name);
      if (value === undefined || tool === undefined) continue;
      try {
        return contents((await callTool(tool, { [argument]: decoded(value) }, context)).text);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        throw new InvalidParams(problemText(error, context.baseUrl), { uri, ...problemData(error) });
      }
    }
    throw new InvalidParams(NO_SUCH_RESOURCE, { uri });
  };
