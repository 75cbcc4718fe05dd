// The embedded DynamoDB, which comes without types.
declare module 'dynalite' {
  interface DynaliteOptions {
    /** Folder of a LevelDB; in memory without. */
    readonly path?: string;
    /** How long a new table is not ready yet. @default 500 */
    readonly createTableMs?: number;
  }
  const dynalite: (options?: DynaliteOptions) => import('node:http').Server;
  // biome-ignore lint/style/noDefaultExport: it is CommonJS
  export default dynalite;
}
