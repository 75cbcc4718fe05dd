// Compiles a fuzz target with counters at every branch of the service's own code, so that the fuzzer sees which branches an
// input reaches. Packages and the judges of the target are not counted.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { edgeContract } from '../../infra/build/bundle-edge.ts';
import { isSyntaxNode, type SyntaxNode } from '../support/syntax-node.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The global array of counters: one element for each branch. */
export const COUNTERS = '__branchCounters';

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** An end before the start of the next branch at the same place. */
  readonly order: number;
}

/** Inserts a counter at the start of each function, branch, case, loop and right side of a logical operator. */
const insertionsIn = (program: unknown, count: () => string): readonly Insertion[] => {
  const found: Insertion[] = [];
  const expression = (value: unknown): void => {
    if (!isSyntaxNode(value)) return;
    found.push({ at: value.start, text: `(${count()},`, order: 1 }, { at: value.end, text: ')', order: 0 });
  };
  const statement = (value: unknown): void => {
    if (!isSyntaxNode(value)) return;
    if (value.type === 'BlockStatement') found.push({ at: value.start + 1, text: `${count()};`, order: 1 });
    else found.push({ at: value.start, text: `{${count()};`, order: 1 }, { at: value.end, text: '}', order: 0 });
  };
  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (isSyntaxNode(node['body']) && node['body'].type === 'BlockStatement') statement(node['body']);
        else expression(node['body']);
        break;
      case 'IfStatement':
        statement(node['consequent']);
        statement(node['alternate']);
        break;
      case 'ConditionalExpression':
        expression(node['consequent']);
        expression(node['alternate']);
        break;
      case 'LogicalExpression':
        expression(node['right']);
        break;
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'WhileStatement':
        statement(node['body']);
        break;
      case 'CatchClause':
        statement(node['body']);
        break;
      case 'SwitchCase': {
        const [first] = Array.isArray(node['consequent']) ? node['consequent'] : [];
        if (isSyntaxNode(first)) found.push({ at: first.start, text: `${count()};`, order: 1 });
        break;
      }
      default:
    }
    for (const member of Object.values(node))
      for (const child of [member].flat()) if (isSyntaxNode(child)) visit(child);
  };
  if (isSyntaxNode(program)) visit(program);
  return found;
};

const instrumented = (file: string, source: string, count: () => string): string => {
  const insertions = insertionsIn(parseSync(file, source).program, count).toSorted(
    (a, b) => a.at - b.at || a.order - b.order,
  );
  let written = '';
  let position = 0;
  for (const { at, text } of insertions) {
    written += source.slice(position, at) + text;
    position = at;
  }
  return written + source.slice(position);
};

export interface CompiledTarget {
  /** JavaScript modules have no other names than `target`. */
  readonly code: string;
  readonly branches: number;
  /** Texts in the code that inputs are compared with. */
  readonly dictionary: readonly string[];
}

const LITERAL = /(['"`])((?:(?!\1)[^\\\n$]|\\[^\n]){1,40})\1/g;

/** @param name of a file in test/fuzz/targets */
export const compileTarget = async (name: string): Promise<CompiledTarget> => {
  let branches = 0;
  const dictionary = new Set<string>();
  const count = (): string => {
    branches += 1;
    return `${COUNTERS}[${branches - 1}]++`;
  };
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join('test/fuzz/targets', `${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    define: { EDGE_CONTRACT: JSON.stringify(edgeContract()) },
    logLevel: 'silent',
    plugins: [
      {
        name: 'counters',
        setup({ onLoad }) {
          onLoad({ filter: /[\\/](?:shared|functions)[\\/].*\.ts$/ }, async ({ path }) => {
            const { code } = await transform(await readFile(path, 'utf8'), {
              loader: 'ts',
              target: 'esnext',
              sourcefile: path,
            });
            for (const [, , text = ''] of code.matchAll(LITERAL)) dictionary.add(text);
            return { contents: instrumented(`${path}.js`, code, count), loader: 'js' };
          });
        },
      },
    ],
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild compiled no ${name}`);
  return { code: output.text, branches, dictionary: [...dictionary] };
};
