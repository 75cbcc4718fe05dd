// Judges an edge function by what AWS documents: its headers, and its script by cloudfront-js-2.0 ("JavaScript runtime
// 2.0 features for CloudFront Functions", read in November 2026): ES5.1 and a list of later features. The engine is not V8, and a method that it
// lacks throws only when it is called. Modules and asynchronous functions are left out, because the edge function needs
// none.
import { parseSync } from 'oxc-parser';

/** A node of the syntax tree that oxc-parser makes. */
interface SyntaxNode {
  readonly type: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const wordsOf = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(/\s+/)).filter((word) => word !== ''));

const TYPED_ARRAYS =
  'Float32Array Float64Array Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array';

const GLOBALS = wordsOf(
  'Object String Number Boolean Math Date RegExp JSON Array ArrayBuffer Promise DataView Symbol TextDecoder TextEncoder',
  TYPED_ARRAYS,
  'console globalThis NaN Infinity undefined arguments',
  'Error EvalError InternalError RangeError ReferenceError SyntaxError TypeError URIError',
  'decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN parseFloat parseInt atob btoa',
);

/** The members of global objects. A member that is not here is not documented. */
const MEMBERS_OF_GLOBALS: Readonly<Record<string, ReadonlySet<string>>> = {
  Object: wordsOf(
    'create defineProperties defineProperty freeze getOwnPropertyDescriptor getOwnPropertyDescriptors prototype',
    'getOwnPropertyNames getPrototypeOf isExtensible isFrozen isSealed keys preventExtensions seal assign entries values',
  ),
  String: wordsOf('fromCharCode fromCodePoint prototype'),
  Number: wordsOf(
    'EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY',
    'isFinite isInteger isNaN isSafeInteger parseInt parseFloat prototype',
  ),
  Math: wordsOf(
    'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp',
    'expm1 floor fround hypot imul log log1p log2 log10 max min pow random round sign sinh sin sqrt tan tanh trunc',
  ),
  Date: wordsOf('UTC now parse'),
  JSON: wordsOf('parse stringify'),
  Array: wordsOf('isArray of prototype'),
  ArrayBuffer: wordsOf('isView'),
  Promise: wordsOf('all allSettled any reject resolve race'),
  Symbol: wordsOf('for keyfor'),
  console: wordsOf('log'),
};

/** The members of values, whatever their type. Date has the methods of ES5.1, which the edge function does not use. */
const MEMBERS_OF_VALUES = wordsOf(
  'length hasOwnProperty isPrototypeOf propertyIsEnumerable toString valueOf is setPrototypeOf',
  'charAt concat indexOf lastIndexOf match replace search slice split substr substring toLowerCase trim toUpperCase',
  'codePointAt endsWith includes repeat startsWith padStart padEnd trimStart trimEnd replaceAll',
  'toExponential toFixed toPrecision apply bind call',
  'global ignoreCase multiline source sticky flags lastIndex exec test',
  'every filter forEach join map pop push reduce reduceRight reverse shift some sort splice unshift copyWithin fill',
  'find findIndex set subarray catch finally then decode encoding fatal ignoreBOM encode encodeInto',
);

/** The names of the event, and those of the headers and query parameters that the script reads. */
const EVENT_MEMBERS = wordsOf(
  'viewer ip request method uri querystring headers cookies value multiValue host accept authorization format',
);

/** ES5.1, `const`, `let`, template literals, arrow functions and rest parameters. */
const SYNTAX = wordsOf(
  'Program ExpressionStatement BlockStatement EmptyStatement VariableDeclaration VariableDeclarator FunctionDeclaration',
  'FunctionExpression ReturnStatement IfStatement ForStatement ForInStatement WhileStatement DoWhileStatement SwitchCase',
  'BreakStatement ContinueStatement LabeledStatement SwitchStatement ThrowStatement TryStatement CatchClause Identifier',
  'Literal ThisExpression ArrayExpression ObjectExpression Property UnaryExpression UpdateExpression BinaryExpression',
  'AssignmentExpression LogicalExpression ConditionalExpression CallExpression NewExpression MemberExpression',
  'SequenceExpression TemplateLiteral TemplateElement ArrowFunctionExpression RestElement ParenthesizedExpression',
);

const LATER_OPERATORS = wordsOf('?? ??= ||= &&=');

/** Names that V8 knows as members of values. If the script gives one to its own property, the judgement is blind to it. */
const V8_MEMBERS: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, RegExp, Function, Promise].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
);

/** Named groups are documented; look-behind, Unicode properties and code points above `\uXXXX` are not. */
const LATER_PATTERN = /\(\?<[=!]|\\[pP]\{|\\u\{|\\k(?!<)/;

const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isSyntaxNode);

const nodesOf = (node: SyntaxNode): readonly SyntaxNode[] => [node, ...childrenOf(node).flatMap(nodesOf)];

const nameOf = (node: unknown): string | undefined =>
  isSyntaxNode(node) && typeof node['name'] === 'string' ? node['name'] : undefined;

/** The name of a property or member; undefined if it is computed from anything but a text. */
const keyOf = (key: unknown, isComputed: unknown): string | undefined => {
  if (!isSyntaxNode(key)) return undefined;
  if (isComputed !== true && key.type === 'Identifier') return nameOf(key);
  return key.type === 'Literal' && typeof key['value'] === 'string' ? key['value'] : undefined;
};

/** The identifiers that a node declares. */
const declaredBy = ({ type, id, params, param }: SyntaxNode): readonly unknown[] => {
  if (type === 'CatchClause') return [param];
  const parameters = Array.isArray(params) ? params : [];
  return [
    id,
    ...parameters.map((item) => (isSyntaxNode(item) && item.type === 'RestElement' ? item['argument'] : item)),
  ];
};

/** Identifiers that are the names of members, properties and labels. */
const isNameOnly = (node: SyntaxNode, child: unknown): boolean =>
  (node.type === 'MemberExpression' && child === node['property'] && node['computed'] !== true) ||
  (node.type === 'Property' && child === node['key'] && node['computed'] !== true) ||
  (/^(?:Labeled|Break|Continue)Statement$/.test(node.type) && child === node['label']);

const syntaxFaults = (node: SyntaxNode): readonly string[] => {
  const { type, operator, regex, param, async: isAsync, generator, computed, shorthand, method, bigint } = node;
  if (!SYNTAX.has(type)) return [type];
  const faults: string[] = [];
  if (typeof operator === 'string' && LATER_OPERATORS.has(operator)) faults.push(operator);
  if (isAsync === true || generator === true) faults.push(`${type} that is asynchronous or a generator`);
  if (type === 'CatchClause' && param === null) faults.push('catch without a name');
  if (type === 'Property' && (computed === true || shorthand === true || method === true))
    faults.push('property in the syntax of ES6');
  if (type === 'Literal' && typeof bigint === 'string') faults.push('BigInt');
  if (typeof regex === 'object' && regex !== null && 'pattern' in regex && 'flags' in regex) {
    if (LATER_PATTERN.test(String(regex.pattern))) faults.push(`/${regex.pattern}/`);
    if (/[^gimy]/.test(String(regex.flags))) faults.push(`flags ${regex.flags}`);
  }
  return faults;
};

/** @returns what the script uses and AWS does not document, each once */
export const undocumentedFeatures = (source: string): readonly string[] => {
  const { program, errors } = parseSync('script.js', source, { sourceType: 'script' });
  if (!isSyntaxNode(program) || errors.length > 0) throw new Error(`no script: ${errors[0]?.message}`);
  const nodes = nodesOf(program);
  const declared = new Set(nodes.flatMap(declaredBy).map(nameOf));
  const own = new Set(
    nodes.flatMap((node) => (node.type === 'Property' ? [keyOf(node['key'], node['computed'])] : [])),
  );
  const isBlind = (name: string): boolean => V8_MEMBERS.has(name) && !MEMBERS_OF_VALUES.has(name);
  const isKnownMember = (name: string): boolean =>
    MEMBERS_OF_VALUES.has(name) || (!isBlind(name) && (own.has(name) || EVENT_MEMBERS.has(name)));
  const memberFaults = (node: SyntaxNode): readonly string[] => {
    const name = node.type === 'MemberExpression' ? keyOf(node['property'], node['computed']) : undefined;
    if (name === undefined) return [];
    const object = nameOf(node['object']);
    const members = object === undefined || declared.has(object) ? undefined : MEMBERS_OF_GLOBALS[object];
    if (members !== undefined) return members.has(name) ? [] : [`${object}.${name}`];
    // The names of headers have a hyphen.
    return isKnownMember(name) || /^[a-z]+(?:-[a-z]+)+$/.test(name) ? [] : [`.${name}`];
  };
  const globalFaults = (node: SyntaxNode): readonly string[] =>
    childrenOf(node)
      .filter((child) => child.type === 'Identifier' && !isNameOnly(node, child))
      .flatMap((child) => nameOf(child) ?? [])
      .filter((name) => !declared.has(name) && !GLOBALS.has(name));
  return [...new Set(nodes.flatMap((node) => [...syntaxFaults(node), ...memberFaults(node), ...globalFaults(node)]))];
};

/**
 * "Restrictions on all edge functions", read in November 2026, in lower case. Such a header never reaches an edge
 * function. CloudFront answers 502 if the function adds it.
 */
const DISALLOWED_HEADERS = wordsOf(
  'connection expect keep-alive proxy-authenticate proxy-authorization proxy-connection trailer upgrade',
  'x-accel-buffering x-accel-charset x-accel-limit-rate x-accel-redirect x-amzn-auth x-amzn-cf-billing x-amzn-cf-id',
  'x-amzn-cf-xff x-amzn-errortype x-amzn-fle-profile x-amzn-header-count x-amzn-header-order',
  'x-amzn-lambda-integration-tag x-amzn-requestid x-cache x-forwarded-proto x-real-ip',
);
const DISALLOWED_PREFIX = /^x-(?:amz-cf|edge)-/;

/** An edge function may read them on a viewer request, but neither add nor change nor delete them. */
const READ_ONLY_HEADERS = wordsOf('content-length host transfer-encoding via');

/** @returns whether an edge function must not set or delete the header on a viewer request */
export const isHeaderOfCloudFront = (header: string): boolean => {
  const name = header.toLowerCase();
  return DISALLOWED_HEADERS.has(name) || DISALLOWED_PREFIX.test(name) || READ_ONLY_HEADERS.has(name);
};
