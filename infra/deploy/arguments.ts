// Divides the arguments of `npm run deploy`: settings are for the synthesis, and what is not ours is for `cdk deploy`.
import { SetupError } from '../config/setup-error.ts';

export interface DeployArguments {
  /** Accept changes that cannot be undone. */
  readonly yes: boolean;
  /** Say what would change, and stop. */
  readonly dryRun: boolean;
  readonly profile: string | undefined;
  /** `-c NAME=VALUE`, for `cdk synth`. */
  readonly context: readonly string[];
  /** For `cdk deploy`. */
  readonly cdk: readonly string[];
}

/** The program sets them itself. */
const OURS = ['--app', '-a', '--output', '-o', '--context-lookups'];

const FLAGS = ['--yes', '-y', '--dry-run'];

/** The name of an option, and its value if both are one argument. */
const splitOption = (argument: string): readonly [name: string, value: string | undefined] => {
  if (/^-[a-z][^-=]/.test(argument) && !argument.startsWith('--')) return [argument.slice(0, 2), argument.slice(2)];
  const [, name = argument, value] = /^(--?[a-z-]+)=(.*)$/s.exec(argument) ?? [];
  return [name, value];
};

/** @throws SetupError */
export const parseArguments = (given: readonly string[]): DeployArguments => {
  const context: string[] = [];
  const cdk: string[] = [];
  const flags = new Set<string>();
  let profile: string | undefined;
  const rest = [...given];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [name, own] = splitOption(argument);
    const valueAfter = (): string => {
      const value = own ?? rest.shift();
      if (value === undefined) throw new SetupError(`${name} needs a value`);
      return value;
    };
    if (OURS.includes(name))
      throw new SetupError(`${name} cannot be set: npm run deploy synthesizes into cdk.out itself`);
    if (FLAGS.includes(name) && own === undefined) flags.add(name);
    else if (name === '-c' || name === '--context') {
      const setting = valueAfter();
      if (!/^[^=]+=/.test(setting)) throw new SetupError(`-c ${setting} is not NAME=VALUE`);
      context.push('-c', setting);
    } else if (name === '--profile') {
      profile = valueAfter();
      cdk.push('--profile', profile);
    } else cdk.push(argument);
  }
  return { yes: flags.has('--yes') || flags.has('-y'), dryRun: flags.has('--dry-run'), profile, context, cdk };
};
