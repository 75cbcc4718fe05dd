// Writes the header field that names a body as a file.
import { percentEncode } from '../contract/query-string.ts';
import type { FileName } from '../model/file-name.ts';

/** RFC 8187 section 3.2.1. */
const extendedValue = (text: string): string => `UTF-8''${percentEncode(text)}`;

/**
 * RFC 6266: browsers show the body and use the name when a person saves it; `curl -OJ` reads only the ASCII name.
 *
 * @param file `ascii` has no quotation marks, backslashes and percent signs
 */
export const contentDisposition = ({ name, ascii }: FileName): string =>
  `inline; filename="${ascii}"${name === ascii ? '' : `; filename*=${extendedValue(name)}`}`;
