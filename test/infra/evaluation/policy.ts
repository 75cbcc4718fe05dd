// Which requests IAM policies allow: the subset of the evaluation logic that the stack's policies use (IAM User Guide,
// "Policy evaluation logic" and "IAM JSON policy elements"). What is not implemented throws: an evaluator that guesses
// proves nothing.

/** Of a statement, as in the policy document, with every value resolved to text. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  /** Services by name, other principals by ARN, `*` for everyone; undefined in a policy of a role. */
  readonly principals?: { readonly services: readonly string[]; readonly others: readonly string[] };
  /** With `*` and `?`; letter case means nothing. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Operator to condition key to values, of which one must match. All operators and keys must hold. */
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface AccessRequest {
  /** A service that acts by itself, the role of a function, or a caller without a signature. */
  readonly principal: { readonly service: string } | { readonly role: string } | 'anonymous';
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Condition keys and what the request says for them; several values for multivalued keys. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

/** `implicit`: no statement applies. */
export type Decision = 'allowed' | 'denied' | 'implicit';

/** `*` stands for any text, also with slashes, `?` for one character. */
export const matchesWildcard = (pattern: string, text: string): boolean => {
  const source = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
};

const ARN_PARTS = 6;

/** The last of the six parts may hold colons itself. */
const arnParts = (arn: string): readonly string[] => {
  const parts = arn.split(':');
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
};

/** Each of the six parts by itself: a `*` in one does not reach into the next. */
export const matchesArn = (pattern: string, arn: string): boolean => {
  const [wanted, given] = [arnParts(pattern), arnParts(arn)];
  return wanted.every((part, index) => matchesWildcard(part, given[index] ?? ''));
};

type Comparison = (wanted: string, given: string) => boolean;

const comparisons = new Map<string, Comparison>([
  ['StringEquals', (wanted, given) => wanted === given],
  ['StringLike', matchesWildcard],
  ['ArnEquals', matchesArn],
  ['ArnLike', matchesArn],
  ['Bool', (wanted, given) => wanted.toLowerCase() === given.toLowerCase()],
]);

const comparisonOf = (operator: string): Comparison => {
  const comparison = comparisons.get(operator);
  if (comparison === undefined) throw new Error(`the condition operator ${operator} is not implemented`);
  return comparison;
};

const FOR_ALL = 'ForAllValues:';

/** A key that the request does not have fails, but under `ForAllValues`, which no value then contradicts. */
const holds = (operator: string, wanted: readonly string[], given: readonly string[] | undefined): boolean => {
  const forAll = operator.startsWith(FOR_ALL);
  const compare = comparisonOf(forAll ? operator.slice(FOR_ALL.length) : operator);
  const matches = (value: string): boolean => wanted.some((pattern) => compare(pattern, value));
  if (forAll) return (given ?? []).every(matches);
  return given?.some(matches) ?? false;
};

/** Condition keys are compared without letter case. */
const valuesOf = (context: AccessRequest['context'] = {}, key: string): readonly string[] | undefined => {
  const found = Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
  return found === undefined ? undefined : [found].flat();
};

const isMet = (conditions: Statement['conditions'], context: AccessRequest['context']): boolean =>
  Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, wanted, valuesOf(context, key))),
  );

/** `*` of a resource policy is everyone, services included. */
const concerns = ({ principals }: Statement, principal: AccessRequest['principal']): boolean => {
  if (principals === undefined) return typeof principal === 'object' && 'role' in principal;
  if (principals.others.includes('*')) return true;
  if (principal === 'anonymous') return false;
  return 'service' in principal
    ? principals.services.includes(principal.service)
    : principals.others.includes(principal.role);
};

const applies = (statement: Statement, { principal, action, resource, context }: AccessRequest): boolean =>
  concerns(statement, principal) &&
  statement.actions.some((pattern) => matchesWildcard(pattern.toLowerCase(), action.toLowerCase())) &&
  statement.resources.some((pattern) => pattern === '*' || matchesArn(pattern, resource)) &&
  isMet(statement.conditions, context);

/** An explicit Deny wins, whatever else allows. @param statements of one policy, or of all that a role has */
export const evaluate = (statements: readonly Statement[], request: AccessRequest): Decision => {
  const applying = statements.filter((statement) => applies(statement, request));
  if (applying.some(({ effect }) => effect === 'Deny')) return 'denied';
  return applying.length > 0 ? 'allowed' : 'implicit';
};
