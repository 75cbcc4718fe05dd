// esbuild plugin: `postern:admin-page` is the dashboard as three texts, its script built for browsers.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { AdminPage } from '../../functions/admin/surface.ts';

const FOLDER = resolve(fileURLToPath(new URL('../../functions/admin/page', import.meta.url)));

const script = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'app.ts')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild made no dashboard script');
  return file.text;
};

export const adminPage = async (): Promise<AdminPage> => ({
  html: await readFile(join(FOLDER, 'index.html'), 'utf8'),
  script: await script(),
  style: await readFile(join(FOLDER, 'style.css'), 'utf8'),
});

export const builtAdminPage = (): Plugin => ({
  name: 'postern-admin-page',
  setup(build) {
    build.onResolve({ filter: /^postern:admin-page$/ }, ({ path }) => ({ path, namespace: 'postern-admin' }));
    build.onLoad({ filter: /./, namespace: 'postern-admin' }, async () => ({
      contents: `export const page = ${JSON.stringify(await adminPage())};`,
      loader: 'js',
    }));
  },
});
