// Pins the languages that a fence may name. Every name outside of the list can be a command for a reader of Markdown.
import { expect, test } from 'vitest';
import { fenceLanguage } from '../../../../shared/render/markdown/escape.ts';

const LANGUAGES =
  'asm awk bash bat c c# c++ clj clojure cmake cobol console cpp cs csharp css d dart diff dockerfile elixir elm erlang ex f# fish fortran fs fsharp gdscript glsl go golang gradle graphql groovy haskell hcl hlsl hs html http ini java javascript js json json5 jsonc jsx julia kotlin kt less lisp lua makefile markdown matlab md mojo move nginx nim nix objc objective-c ocaml pascal perl php pl plain plaintext powershell prolog properties proto protobuf ps1 py python python3 r racket rb rs ruby rust sass scala scheme scss sh shell sol solidity sql svelte swift terraform text tf toml ts tsx txt typescript vb verilog vhdl vim vue vyper wasm wat wgsl xml yaml yml zig zsh';

test.each(LANGUAGES.split(' '))('a fence may name %s, in any letter case', (language) => {
  expect(fenceLanguage(language)).toBe(language);
  expect(fenceLanguage(` ${language.toUpperCase()} `)).toBe(language);
});

test.each(['', 'dataviewjs', 'dataview', 'tasks', 'query', 'mermaid', 'ad-note', 'chart', 'geojson', 'js run', '`'])(
  'a fence does not name %j',
  (info) => {
    expect(fenceLanguage(info)).toBe('');
  },
);
