// Lists the files of a bundle.
import type { Metafile } from 'esbuild';

/** @returns the inputs that have bytes in an output, without those that esbuild dropped */
export const bundledFiles = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );

/** @returns the names of the packages of these files, sorted */
export const packagesOf = (files: readonly string[]): readonly string[] =>
  [...new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))].toSorted();
