// What the MCP server has to offer, apart from how it is asked: both eras of the protocol serve the same registry.
import type { Caller } from '../../shared/ports/access-control.ts';

type Json = Readonly<Record<string, unknown>>;

/** A tool as `tools/list` shows it. */
export interface ToolListing extends Json {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12. */
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations: Json;
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolResult {
  readonly content: readonly TextContent[];
  /** Of a success. */
  readonly structuredContent?: Json;
  readonly isError?: true;
  readonly _meta?: Json;
}

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface PromptMessage {
  readonly role: 'user';
  readonly content: TextContent;
}

/** Who asks, where, and by when an answer is due. */
export interface ToolContext {
  /** `{base_url}`. */
  readonly baseUrl: string;
  /** Of the client, as the edge saw it. */
  readonly address: string | undefined;
  /** How many the request has: their answers share what one answer may have in bytes. */
  readonly messages: number;
  /** A caller of its own for each call: what it spends is its own. */
  readonly caller: () => Caller;
}

/** A request that the protocol itself refuses: JSON-RPC -32602. */
export class InvalidParams extends Error {
  readonly data: Json | undefined;

  constructor(message: string, data?: Json) {
    super(message);
    this.name = 'InvalidParams';
    this.data = data;
  }
}

export interface Registry {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  /** At most 120 words: when to use it, what it cannot do, limits. */
  readonly instructions: string;
  /** In a fixed order. */
  readonly tools: readonly ToolListing[];
  readonly resources: readonly Json[];
  readonly resourceTemplates: readonly Json[];
  readonly prompts: readonly Json[];
  /**
   * @throws InvalidParams where there is no such tool; whatever else goes wrong is a result with `isError`
   */
  callTool(name: string, args: object, context: ToolContext): Promise<ToolResult>;
  /** @throws InvalidParams with `data.uri` where there is no such resource */
  readResource(uri: string, context: ToolContext): Promise<{ readonly contents: readonly ResourceContents[] }>;
  /** @throws InvalidParams where there is no such prompt, or its arguments are wrong */
  getPrompt(name: string, args: Json): { readonly description: string; readonly messages: readonly PromptMessage[] };
}
