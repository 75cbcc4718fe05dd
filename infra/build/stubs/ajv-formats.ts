// Replaces `ajv-formats` in the bundles. The stub of `ajv` compiles nothing, so it needs no formats.

// biome-ignore lint/style/noDefaultExport: ajv-formats exports its function as default
export default (): void => {};
