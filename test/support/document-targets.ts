// Lists the paths of the documents.
import { documents } from '../../shared/contract/documents.ts';

export const documentTargets: readonly string[] = Object.values(documents).map(({ path }) => path);
