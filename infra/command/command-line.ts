/**
 * How a person runs a command in a clone. In the package, infra/package/in-package.ts answers instead.
 *
 * @param given the arguments @default none
 */
export const commandLine = (name: string, given?: string): string => {
  if (name === 'start') return 'npm start';
  return given === undefined ? `npm run -s ${name}` : `npm run -s ${name} -- ${given}`;
};
