// Path templates, split at slashes; `{name}` stands for one segment. Also bundled into the edge function, whose runtime
// knows little beyond ES5.

export const isVariable = (segment: string): boolean => segment.charAt(0) === '{';

/** Whether a path, split at slashes, is one of the template's. */
export const matchesTemplate = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => (isVariable(part) ? segments[index] !== '' : part === segments[index]));

/** A handle that stands for itself, in a path as the edge sees it or as the gateway has decoded it. */
const HANDLE_SEGMENT = /^(?:@|%40)?\w{1,15}$/;

/**
 * Whether a path that fits a template is meant by it: where the first segment is a handle, a reserved one is something
 * else of ours, and one that stands alone must be a handle to be a route at all.
 *
 * @param isReserved of a segment without @
 */
export const hasRoutableHandle = (
  template: readonly string[],
  segments: readonly string[],
  isReserved: (segment: string) => boolean,
): boolean => {
  const first = segments[1] || '';
  if (template[1] !== '{handle}') return true;
  return !isReserved(first.replace(/^(?:@|%40)/, '')) && (template.length > 2 || HANDLE_SEGMENT.test(first));
};

/** API Gateway's name of a route. ANY: HEAD, OPTIONS and 405 are ours to answer. */
export const routeKey = (path: string): string => `ANY ${path}`;
