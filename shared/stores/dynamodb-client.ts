// Creates the DynamoDB client and converts attribute values. The document client would cost start-up time and add nothing.
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface DynamoDbOptions {
  readonly region: string;
  /** @default the endpoint of the region */
  readonly endpoint?: string | undefined;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** Time limit until a command has a connected socket, including the wait for a free one. @default 1 s */
  readonly connectionMilliseconds?: number;
}

/** Upper bounds; a caller with less time passes an abort signal. */
const CONNECTION_MILLISECONDS = 1000;
const REQUEST_MILLISECONDS = 3000;

/** Sends each command once: the store guard decides about a second attempt. */
export const createDynamoDbClient = ({
  region,
  endpoint,
  credentials,
  connectionMilliseconds = CONNECTION_MILLISECONDS,
}: DynamoDbOptions): DynamoDBClient =>
  new DynamoDBClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    credentials,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectionMilliseconds,
      requestTimeout: REQUEST_MILLISECONDS,
      throwOnRequestTimeout: true,
    },
  });

export type Item = Record<string, AttributeValue>;

export const stringAttribute = (value: string): AttributeValue => ({ S: value });
export const numberAttribute = (value: number): AttributeValue => ({ N: String(value) });

export const readString = (item: Item | undefined, name: string): string | undefined => item?.[name]?.S;

export const readNumber = (item: Item | undefined, name: string): number | undefined => {
  const digits = item?.[name]?.N;
  return digits === undefined ? undefined : Number(digits);
};

/** @returns undefined if the condition of the write was false, which is an answer and not an error */
export const unlessConditionFailed = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined;
    throw error;
  }
};
