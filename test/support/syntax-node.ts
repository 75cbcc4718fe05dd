// A node of the syntax tree that oxc-parser makes.

export interface SyntaxNode {
  readonly type: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
