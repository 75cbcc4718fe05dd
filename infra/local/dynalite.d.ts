// Declares the types of the embedded DynamoDB, which has none.
declare module 'dynalite' {
  interface DynaliteOptions {
    /** Folder of a LevelDB. @default in memory */
    readonly path?: string;
    /** Milliseconds until a new table is ready. @default 500 */
    readonly createTableMs?: number;
  }
  const dynalite: (options?: DynaliteOptions) => import('node:http').Server;
  // biome-ignore lint/style/noDefaultExport: it is CommonJS
  export default dynalite;
}
