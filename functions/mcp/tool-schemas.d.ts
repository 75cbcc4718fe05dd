// Provided by infra/build/tool-schemas-plugin.ts when the bundle is built.
declare module 'postern:tool-schemas' {
  export const toolSchemas: import('./tools.ts').ToolSchemas;
}
