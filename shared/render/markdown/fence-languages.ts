// Lists the languages that a fence may name. Other info strings can be commands: Obsidian, its plugins and code hosts run or
// draw `dataviewjs`, `dataview`, `tasks`, `query`, `mermaid`, `ad-note`, `chart`, `geojson` and similar ones. People paste
// any Markdown there, so the list applies to every dialect. A missing language only loses its syntax colours.

// biome-ignore format: a list of names
const HARMLESS: ReadonlySet<string> = new Set([
  'asm', 'awk', 'bash', 'bat', 'c', 'c#', 'c++', 'clj', 'clojure', 'cmake', 'cobol', 'console', 'cpp', 'cs', 'csharp', 'css', 'd', 'dart', 'diff', 'dockerfile',
  'elixir', 'elm', 'erlang', 'ex', 'f#', 'fish', 'fortran', 'fs', 'fsharp', 'gdscript', 'glsl', 'go', 'golang', 'gradle', 'graphql', 'groovy', 'haskell', 'hcl', 'hlsl',
  'hs', 'html', 'http', 'ini', 'java', 'javascript', 'js', 'json', 'json5', 'jsonc', 'jsx', 'julia', 'kotlin', 'kt', 'less', 'lisp', 'lua', 'makefile', 'markdown', 'matlab',
  'md', 'mojo', 'move', 'nginx', 'nim', 'nix', 'objc', 'objective-c', 'ocaml', 'pascal', 'perl', 'php', 'pl', 'plain', 'plaintext', 'powershell', 'prolog', 'properties',
  'proto', 'protobuf', 'ps1', 'py', 'python', 'python3', 'r', 'racket', 'rb', 'rs', 'ruby', 'rust', 'sass', 'scala', 'scheme', 'scss', 'sh', 'shell', 'sol', 'solidity',
  'sql', 'svelte', 'swift', 'terraform', 'text', 'tf', 'toml', 'ts', 'tsx', 'txt', 'typescript', 'vb', 'verilog', 'vhdl', 'vim', 'vue', 'vyper', 'wasm', 'wat', 'wgsl',
  'xml', 'yaml', 'yml', 'zig', 'zsh',
]);

/** @returns an empty string if the language is not in the list */
export const fenceLanguage = (infoString: string): string => {
  const name = infoString.trim().toLowerCase();
  return HARMLESS.has(name) ? name : '';
};
