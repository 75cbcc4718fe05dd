// The package.json of the npm package, whose files need no other package.
import packageJson from '../../package.json' with { type: 'json' };

/** The oldest Node that has all that the files use: undici needs it. */
const NODE = '22.3';

/** For esbuild. */
export const TARGET = `node${NODE}`;

export const BIN_FILE = 'bin/postern.cjs';

const { name, version, description, license } = packageJson;

/** The workflow of the release sets both. A registry accepts a provenance only of the repository that the package names. */
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;

export const manifest = {
  name,
  version,
  description,
  license,
  ...(repository !== undefined && { repository: { type: 'git', url: `git+${server}/${repository}.git` } }),
  bin: { [name]: BIN_FILE },
  engines: { node: `>=${NODE}` },
  // The systems for which the engine of the store has builds, and whose paths the commands know.
  os: ['linux', 'darwin'],
};
