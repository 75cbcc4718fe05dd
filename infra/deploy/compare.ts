// Compares the deployed template with the new one and says the consequences. The rules of CloudFormation, such as which
// property replaces a resource, are those of the CDK (@aws-cdk/cloudformation-diff).
import { fullDiff } from '@aws-cdk/cloudformation-diff';
import { type SettingName, settingNames, settingRow } from '../config/settings.ts';
import { readConfig } from '../config.ts';
import { callerChanges, environmentChanges } from './caller-changes.ts';
import type { Change } from './change.ts';
import { type DeploymentRecord, readDeploymentRecord, recordOf } from './deployment-record.ts';
import { permissionChanges } from './permission-changes.ts';
import { stateChanges } from './state-changes.ts';
import type { Template } from './template.ts';

/** The texts about the resources say the same, and more. */
const TOLD_BY_RESOURCES: readonly SettingName[] = ['originSecretVersion', 'cursorSecretVersion'];

const settingChange = (name: SettingName, from: string | undefined, to: string | undefined): Change => {
  const { affects, meaning, price, lossIfUnset } = settingRow(name);
  if (to === undefined && lossIfUnset !== undefined) {
    return { topic: affects, text: `${name} is no longer set: ${lossIfUnset}`, needsYes: true };
  }
  const cost = price === undefined ? '' : ` ${price}`;
  // A price belongs to the bill, whatever else the setting affects.
  const topic = price !== undefined && affects === 'operators' ? 'cost' : affects;
  return { topic, text: `${name}: ${from ?? 'unset'} -> ${to ?? 'unset'}. ${meaning}${cost}`.replace(/\.$/, '') };
};

/** A release that did not know a setting worked as its default does. */
const settingChanges = (from: DeploymentRecord, to: DeploymentRecord): readonly Change[] => {
  const { settings: defaults } = recordOf(readConfig({}));
  return settingNames
    .filter((name) => !TOLD_BY_RESOURCES.includes(name))
    .map((name) => [name, from.settings[name] ?? defaults[name], to.settings[name]] as const)
    .filter(([, old, next]) => old !== next)
    .map(([name, old, next]) => settingChange(name, old, next));
};

/** @returns the consequences of replacing one template by the other; empty if they are the same */
export const compareTemplates = (before: Template, after: Template): readonly Change[] => {
  const diff = fullDiff({ ...before.document }, { ...after.document });
  const [from, to] = [readDeploymentRecord(before.metadata), readDeploymentRecord(after.metadata)];
  return [
    ...(from === undefined || to === undefined ? environmentChanges(before, after) : settingChanges(from, to)),
    ...callerChanges(before, after),
    ...stateChanges(before, after, diff),
    ...permissionChanges(before, after, diff),
  ];
};
