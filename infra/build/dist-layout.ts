// Names the files of a build, in dist/ and in kept builds with the same layout.
import { join } from 'node:path';

/** The repository. */
export const ROOT = join(import.meta.dirname, '../..');

/** Each function has its own folder with this file, which runs the bundle beside it. */
export const LOADER_FILE = 'index.cjs';

export const BUNDLE_FILE = 'bundle.cjs';

/** The licences of the packages in the bundle, in the same folder. */
export const LICENSES_FILE = 'LICENSES.txt';

/** The posts and accounts that are withheld, beside the bundle of each function that has the list. */
export const WITHHELD_LIST = 'withheld.json';

/** The handler setting of Lambda: the file without extension, then the export. */
export const FUNCTION_HANDLER = 'index.handler';

/** Of the function of pictures that answers at once; the other one streams. */
export const MEDIA_PARTS_HANDLER = 'index.parts';

export const EDGE_FILE = 'viewer-request.js';

export const functionsFolder = (dist: string): string => join(dist, 'functions');

export const functionFolder = (dist: string, name: string): string => join(functionsFolder(dist), name);

export const bundleFile = (dist: string, name: string): string => join(functionFolder(dist, name), BUNDLE_FILE);

export const edgeFolder = (dist: string): string => join(dist, 'edge');

export const edgeFile = (dist: string): string => join(edgeFolder(dist), EDGE_FILE);
