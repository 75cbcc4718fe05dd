// Creates an API key as an operator does.
import { sendRequest } from './local-service.ts';

/** @returns the secret of the key */
export const createKey = async (
  origin: string,
  operatorToken: string | undefined,
  members: object = {},
): Promise<string> => {
  const { status, json } = await sendRequest(origin, '/api/admin/keys', {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: 'a test', ...members }),
  });
  if (status !== 201) throw new Error(`POST /api/admin/keys returned ${status}.`);
  return String(json()['secret']);
};
