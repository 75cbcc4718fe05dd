// Provides `postern:admin-page` to the bundles: the HTML, the style sheet and the bundled script of the dashboard.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import type { AdminPage } from '../../functions/admin/create-handler.ts';
import { DESIGN_TOKENS } from '../../shared/render/html/style/frame.ts';
import { browserScript } from './page-files.ts';

const FOLDER = resolve(fileURLToPath(new URL('../../functions/admin/page', import.meta.url)));

export const adminPageFiles = async (): Promise<AdminPage> => ({
  html: await readFile(join(FOLDER, 'index.html'), 'utf8'),
  script: (await browserScript(join(FOLDER, 'app.ts'))).text,
  style: `${DESIGN_TOKENS}\n${await readFile(join(FOLDER, 'style.css'), 'utf8')}`,
});

export const adminPagePlugin = (): Plugin => ({
  name: 'postern-admin-page',
  setup(build) {
    build.onResolve({ filter: /^postern:admin-page$/ }, ({ path }) => ({ path, namespace: 'postern-admin' }));
    build.onLoad({ filter: /./, namespace: 'postern-admin' }, async () => ({
      contents: `export const page = ${JSON.stringify(await adminPageFiles())};`,
      loader: 'js',
    }));
  },
});
