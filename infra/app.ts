// Creates the stack from the operator's settings. `cdk` runs this file.
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { readConfig, SetupError } from './config.ts';
import { PosternStack } from './stack.ts';

/** Gives the same template with the cdk command, with `CDK_OUTDIR=cdk.out node infra/app.ts`, and in tests. */
export const createApp = (context: Readonly<Record<string, unknown>> = {}): App =>
  new App({
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
    const dist = fileURLToPath(new URL('../dist', import.meta.url));
    new PosternStack(app, 'Postern', { config: readConfig(app.node.getAllContext()), dist });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
