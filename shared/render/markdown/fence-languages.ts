// Languages that a fence may name. Whatever else a fence says can be an order: Obsidian, its plugins and the viewers of
// code hosts run or draw `dataviewjs`, `dataview`, `tasks`, `query`, `mermaid`, `ad-note`, `chart`, `geojson` and the like.
// Markdown is pasted into them as well, so that this list holds for every dialect. A language that is missing here costs
// its colours, nothing else.

// biome-ignore format: side by side they fit on a screen
const HARMLESS: ReadonlySet<string> = new Set([
  'asm', 'awk', 'bash', 'bat', 'c', 'c#', 'c++', 'clj', 'clojure', 'cmake', 'cobol', 'console', 'cpp', 'cs', 'csharp', 'css', 'd', 'dart', 'diff', 'dockerfile',
  'elixir', 'elm', 'erlang', 'ex', 'f#', 'fish', 'fortran', 'fs', 'fsharp', 'gdscript', 'glsl', 'go', 'golang', 'gradle', 'graphql', 'groovy', 'haskell', 'hcl', 'hlsl',
  'hs', 'html', 'http', 'ini', 'java', 'javascript', 'js', 'json', 'json5', 'jsonc', 'jsx', 'julia', 'kotlin', 'kt', 'less', 'lisp', 'lua', 'makefile', 'markdown', 'matlab',
  'md', 'mojo', 'move', 'nginx', 'nim', 'nix', 'objc', 'objective-c', 'ocaml', 'pascal', 'perl', 'php', 'pl', 'plain', 'plaintext', 'powershell', 'prolog', 'properties',
  'proto', 'protobuf', 'ps1', 'py', 'python', 'python3', 'r', 'racket', 'rb', 'rs', 'ruby', 'rust', 'sass', 'scala', 'scheme', 'scss', 'sh', 'shell', 'sol', 'solidity',
  'sql', 'svelte', 'swift', 'terraform', 'text', 'tf', 'toml', 'ts', 'tsx', 'txt', 'typescript', 'vb', 'verilog', 'vhdl', 'vim', 'vue', 'vyper', 'wasm', 'wat', 'wgsl',
  'xml', 'yaml', 'yml', 'zig', 'zsh',
]);

/** @returns empty where the language is unknown or more than one word */
export const fenceLanguage = (named: string): string => {
  const name = named.trim().toLowerCase();
  return HARMLESS.has(name) ? name : '';
};
