// Defines the member that every list has.
import * as z from 'zod';

export const NextCursor = z
  .string()
  .optional()
  .describe('Pass as cursor for the next page. Opaque; its absence is the end of the list.');
