// Where a build puts what: dist/, and the temporary directories that are laid out like it.
import { join } from 'node:path';

/** One file per function, in a folder of its own. */
export const FUNCTION_FILE = 'index.cjs';

/** Lambda's name for what that file exports: file without extension, and export. */
export const FUNCTION_HANDLER = 'index.handler';

export const EDGE_FILE = 'viewer-request.js';

export const functionsFolder = (dist: string): string => join(dist, 'functions');

export const functionFolder = (dist: string, name: string): string => join(functionsFolder(dist), name);

export const functionFile = (dist: string, name: string): string => join(functionFolder(dist, name), FUNCTION_FILE);

export const edgeFolder = (dist: string): string => join(dist, 'edge');

export const edgeFile = (dist: string): string => join(edgeFolder(dist), EDGE_FILE);
