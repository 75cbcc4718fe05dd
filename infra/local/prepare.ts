// npm runs this at the end of `npm ci`. It removes what no program reads from the packages, links the Node of the project,
// and writes the generated files of the npm client. Then it starts the service in memory and reads one post, which leaves the bundles and the compiled code in
// `.cache`, so the first `npm start` takes as little time as the next ones.
import { existsSync, globSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from '../../client/tools/generate.ts';
import { errorMessage } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import { answerHelp } from '../command/answer-help.ts';
import { startLocalService } from './service.ts';

answerHelp();

const POST = '/jack/status/20';

const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * More than 120 MB: headers and manuals of Node, the CDK for other languages, a Lambda layer that the stack does not
 * use, a compiler of style sheets, of which vite loads none here, and second builds of the same module.
 */
const UNUSED = [
  'node-linux-*/{include,share}',
  'aws-cdk-lib/.jsii*.gz',
  '@aws-cdk/asset-awscli-v1/lib/layer.zip',
  'lightningcss-linux-*',
  '@redocly/config/lib-esm',
];

const removeUnused = (): void => {
  for (const path of globSync(UNUSED, { cwd: PACKAGES })) rmSync(join(PACKAGES, path), { recursive: true });
};

/** For `npm exec`, which does not start with infra/launch.cjs: npm up to 10 has removed this link. */
const linkNode = (): void => {
  const link = join(PACKAGES, '.bin/node');
  if (process.execPath.startsWith(PACKAGES) && !existsSync(link))
    symlinkSync(relative(join(PACKAGES, '.bin'), process.execPath), link);
};

const readOnce = async (): Promise<void> => {
  const service = await startLocalService({
    host: '127.0.0.1',
    port: 0,
    environment: { [localEnv.dataDir]: 'memory', [env.upstream]: 'sample' },
    writeLog: () => undefined,
  });
  try {
    await (await fetch(`${service.origin}${POST}`)).text();
  } finally {
    await service.close();
  }
};

const prepare = async (): Promise<void> => {
  removeUnused();
  linkNode();
  await Promise.all([generate(), readOnce()]);
};

// The installation is complete without it. A fault of the sources shows itself at `npm start`.
await prepare().catch((error: unknown) => console.error(`postern: prepared nothing: ${errorMessage(error)}`));
