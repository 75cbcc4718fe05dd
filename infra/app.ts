// Builds what AWS runs, and creates the stack from the operator's settings. `cdk` runs this file, also for `cdk bootstrap`,
// the first command in a new clone, and for a plain `cdk deploy`, which must not deploy an old build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Annotations, App, type AppProps } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { hasWithheldList, lambdaNames } from '../shared/contract/lambdas.ts';
import { formatWithheld } from '../shared/model/withheld.ts';
import { weightWarnings } from '../shared/settings/feature-parsers.ts';
import { compileForLambda } from './build/compiled-code.ts';
import { functionFolder, WITHHELD_LIST } from './build/dist-layout.ts';
import { CONFIG_FILE_SETTING, readConfigFile } from './config/config-file.ts';
import { readConfig } from './config/read-config.ts';
import { regionWarning } from './config/regions.ts';
import { SetupError } from './config/setting.ts';
import { addGuidelines } from './constructs/acknowledge-rules.ts';
import { createStacks } from './stacks.ts';

/** Gives the same template with the cdk command, with `CDK_OUTDIR=cdk.out node infra/launch.cjs infra/app.ts`, and in tests. */
export const createApp = (context: Readonly<Record<string, unknown>> = {}, properties: AppProps = {}): App =>
  new App({
    ...properties,
    analyticsReporting: false,
    context: {
      ...cdkJson.context,
      // `sam local` finds the bundles by this metadata.
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
      ...context,
    },
  });

if (import.meta.main) {
  try {
    const app = createApp();
    if (app.node.tryGetContext('postern:guidelines') !== undefined) await addGuidelines(app);
    const { [CONFIG_FILE_SETTING]: configFile, ...context } = app.node.getAllContext();
    const root = fileURLToPath(new URL('..', import.meta.url));
    const { settings, place } = readConfigFile(root, configFile);
    const config = readConfig(context, settings, place);
    const { buildAll } = await import('./build/build.ts');
    const dist = join(root, 'dist');
    await buildAll(dist);
    compileForLambda(dist, config.arch);
    for (const name of lambdaNames.filter(hasWithheldList))
      writeFileSync(join(functionFolder(dist, name), WITHHELD_LIST), formatWithheld(config.withheld));
    const stack = createStacks(app, { config, dist });
    const warning = regionWarning(config.region);
    if (warning !== undefined) Annotations.of(stack).addWarningV2('postern:region', warning);
    for (const text of weightWarnings({ ...settings, ...context }, ({ setting }) => setting))
      Annotations.of(stack).addWarningV2('postern:weight', text);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
