// The DynamoDB client (low level: the document client costs start-up time for nothing), and the values it takes.
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface DynamoDbOptions {
  readonly region: string;
  /** @default that of the region */
  readonly endpoint?: string | undefined;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** Until a command has a connected socket, waiting for one included. @default 1 s */
  readonly connectionMilliseconds?: number;
}

/** A caller with less time gives a signal for less. */
const CONNECTION_MILLISECONDS = 1000;
const REQUEST_MILLISECONDS = 3000;

/** Sends each command once: whoever asks decides what is worth a second attempt. */
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

/** @returns undefined where a conditional write found its condition unmet: an answer, not a fault */
export const unlessConditionFailed = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined;
    throw error;
  }
};
