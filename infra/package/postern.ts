// The command `postern` of the npm package and of the container: each command is the program of the npm script of that name.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import { localEnv } from '../../shared/settings/local-service.ts';

interface Command {
  readonly does: string;
  /** Runs the program, which reads the arguments after the name of the command. */
  readonly run: () => Promise<unknown>;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['read', { does: 'prints a post, a profile or a list', run: () => import('../../client/commands/read.ts') }],
  ['start', { does: 'starts the service on this machine', run: () => import('../local/start.ts') }],
  ['save', { does: 'saves posts as notes with their pictures', run: () => import('../../client/commands/save.ts') }],
  ['export', { does: 'saves a whole list, one item a line', run: () => import('../../client/commands/export.ts') }],
  ['keys', { does: 'manages the API keys of a service', run: () => import('../../client/commands/keys.ts') }],
  ['mcp', { does: 'serves MCP on standard input and output', run: () => import('../../client/commands/mcp.ts') }],
  [
    'doctor',
    { does: 'says which reads work, how fast and how fresh', run: () => import('../../client/commands/doctor.ts') },
  ],
  ['verify', { does: 'checks a service from outside', run: () => import('../verify/verify.ts') }],
]);

const USAGE = `usage: postern COMMAND …
${[...commands].map(([name, { does }]) => `  ${name.padEnd(7)} ${does}`).join('\n')}
postern COMMAND --help prints the options of a command, postern --version the version.`;

/** A folder that survives an update of the package. The XDG specification has relative folders ignored. */
const dataFolder = (environment: Environment): string => {
  const given = readVariable(environment, 'XDG_DATA_HOME');
  return join(given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local/share'), 'postern');
};

const isWritable = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false; // such as a user without a home
  }
};

/** The defaults of the programs are those of a clone, which npm runs in its own folder. */
const setDefaults = (environment: NodeJS.ProcessEnv): void => {
  delete environment['INIT_CWD'];
  if (readVariable(environment, localEnv.dataDir) !== undefined) return;
  const folder = dataFolder(environment);
  environment[localEnv.dataDir] = isWritable(folder) ? folder : 'memory';
  if (environment[localEnv.dataDir] !== folder)
    console.error(`postern: ${folder} cannot be written, so nothing is kept. Set ${localEnv.dataDir} to a folder.`);
};

const [name = '--help'] = process.argv.slice(2);
const command = commands.get(name);
if (command !== undefined) {
  process.argv.splice(2, 1);
  setDefaults(process.env);
  await command.run();
} else if (name === '--version' || name === '-v') {
  console.log(packageJson.version);
} else if (name === '--help' || name === '-h') {
  console.log(USAGE);
} else {
  console.error(`postern has no command ${visibleLine(name)}.\n${USAGE}`);
  process.exitCode = 1;
}
