// The folder of saved posts. Its names have a handle and an id only, so no post can choose one. A file is written under
// another name and renamed when it is complete, and replaces none. The note comes last: if it is there, all of it is.
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '../../../infra/command/output.ts';
import { errorKind } from '../../../shared/model/json.ts';

/** The folder of pictures and videos, as links in notes name it. */
export const MEDIA_FOLDER = 'media';

const SAVED = /^\w{1,30}-([1-9][0-9]{0,18})\.([a-z]{2,4})$/i;
/** A file that is not complete. */
const PART = /^\.save-[0-9a-f]{16}\.part$/;

export interface SaveFolder {
  /** @param extension without a dot */
  has(id: string, extension: string): boolean;
  /** @throws CommandError if the name is taken */
  write(name: SavedName, extension: string, body: string | Buffer): Promise<void>;
  /** A new name in the folder of pictures and videos, for a file that is not complete. */
  newPart(): string;
  /** @param stem of the name @returns the name in the folder of pictures and videos */
  keepPart(part: string, stem: string, extension: string): Promise<string>;
}

export interface SavedName {
  readonly handle: string;
  readonly id: string;
}

const isThere = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorKind(error) === 'ENOENT') return false;
    throw error;
  }
};

const partName = (): string => `.save-${randomBytes(8).toString('hex')}.part`;

const isSame = async (path: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([lstat(path), lstat(other)]);
  return a.isFile() && a.size === b.size && (await readFile(path)).equals(await readFile(other));
};

/**
 * Makes its parents, too. The option of Node for it never ends where the system lets nothing be created, such as in /proc.
 */
const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorKind(error) === 'EEXIST') return;
    if (errorKind(error) !== 'ENOENT') throw error;
    const parent = dirname(path);
    if (await isThere(parent)) throw new CommandError(`The folder ${path} cannot be created in its parent.`);
    await makeFolder(parent);
    await makeFolder(path);
  }
};

/** Creates the folder, and removes what an earlier run did not complete. @throws CommandError if it cannot be used */
export const openSaveFolder = async (folder: string): Promise<SaveFolder> => {
  const media = join(folder, MEDIA_FOLDER);
  await makeFolder(folder);
  await makeFolder(media);
  // A symbolic link could lead out of the folder.
  if (!(await lstat(media)).isDirectory()) throw new CommandError(`${media} is no folder. Use another --out.`);
  const saved = new Set<string>();
  for (const place of [folder, media]) {
    for await (const { name } of await opendir(place)) {
      if (PART.test(name)) await rm(join(place, name));
      const [, id, extension = ''] = (place === folder && SAVED.exec(name)) || [];
      if (id !== undefined) saved.add(`${id}.${extension.toLowerCase()}`);
    }
  }
  return {
    has: (id, extension) => saved.has(`${id}.${extension}`),
    async write({ handle, id }, extension, body) {
      const path = join(folder, `${handle}-${id}.${extension}`);
      if (await isThere(path)) throw new CommandError(`${path} is there already. It is unchanged.`);
      const part = join(folder, partName());
      await writeFile(part, body, { flag: 'wx' });
      await rename(part, path);
      saved.add(`${id}.${extension}`);
    },
    newPart: () => join(media, partName()),
    async keepPart(part, stem, extension) {
      for (let copy = 1; ; copy += 1) {
        const name = `${stem}${copy === 1 ? '' : `_${copy}`}.${extension}`;
        const path = join(media, name);
        if (!(await isThere(path))) await rename(part, path);
        else if (await isSame(path, part)) await rm(part);
        else continue;
        return name;
      }
    },
  };
};
