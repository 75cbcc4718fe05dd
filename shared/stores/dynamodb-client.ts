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
  /** @default 1 s until a command has a connected socket, and 3 s until it has its answer */
  readonly timeouts?: { readonly connectionTimeout: number; readonly requestTimeout: number };
}

/** Upper bounds, which include the wait for a free socket; a caller with less time passes an abort signal. */
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 3000 };

/** Sends each command once: the store guard decides about a second attempt. */
export const createDynamoDbClient = ({
  region,
  endpoint,
  credentials,
  timeouts = TIMEOUTS,
}: DynamoDbOptions): DynamoDBClient =>
  new DynamoDBClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    credentials,
    maxAttempts: 1,
    // The SDK would read these from the environment and from ~/.aws before its first request.
    ignoreConfiguredEndpointUrls: true,
    disableClockSkewCorrection: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestHandler: { ...timeouts, throwOnRequestTimeout: true },
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
