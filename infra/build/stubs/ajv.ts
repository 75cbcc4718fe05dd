// Replaces `ajv` in the bundles. The MCP SDK compiles JSON Schemas only to validate the answers to its elicitation
// requests, and `functions/mcp` sends no such requests.

class AjvStub {
  getSchema(): undefined {
    return undefined;
  }

  compile(): never {
    throw new Error('the MCP SDK was bundled without ajv: pass a jsonSchemaValidator');
  }
}

// biome-ignore lint/style/noDefaultExport: ajv exports its class as default
export default AjvStub;
