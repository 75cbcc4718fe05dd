// Compares secrets.

/**
 * The time depends only on the length of the presented value. It does not use node:crypto, because loading that takes longer
 * than the rest of the cold start of the discovery Lambda.
 */
export const isEqualConstantTime = (secret: string, presented: string): boolean => {
  let difference = secret.length ^ presented.length;
  for (let index = 0; index < presented.length; index += 1) {
    difference |= presented.charCodeAt(index) ^ secret.charCodeAt(index % secret.length);
  }
  return difference === 0;
};
