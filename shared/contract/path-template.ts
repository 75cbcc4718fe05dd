// Path templates, split at slashes; `{name}` stands for one segment. Also bundled into the edge function, whose runtime
// knows little beyond ES5.

export const isVariable = (segment: string): boolean => segment.charAt(0) === '{';

/** Whether a path, split at slashes, is one of the template's. */
export const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => (isVariable(part) ? segments[index] !== '' : part === segments[index]));
