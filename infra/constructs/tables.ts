// Creates the DynamoDB tables of the contract and grants functions their permissions on them.
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table as DynamoTable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { SESSION_PREFIX, type TableName, tableNames, tableRow } from '../../shared/contract/tables.ts';
import { tableOf } from '../../shared/model/json.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';

/** The part of a table that functions need. The interface of the CDK does not fit exact optional properties. */
type TableReference = Pick<DynamoTable, 'tableArn' | 'tableName'>;

/**
 * Creates the tables, except those that exist already: these the stack uses, and neither creates, changes nor deletes.
 * Retained tables have deletion protection and point-in-time recovery.
 */
export class Tables extends Construct {
  readonly #tables: Readonly<Record<TableName, TableReference>>;

  /** The last argument names tables that exist already, such as the retained tables of a deleted stack. */
  constructor(
    scope: Construct,
    id: string,
    { keys, admin }: Readonly<Partial<Record<TableName, string | undefined>>> = {},
  ) {
    super(scope, id);
    this.#tables = {
      keys: this.#table('keys', keys),
      counters: this.#table('counters'),
      admin: this.#table('admin', admin),
    };
  }

  /** The names of the tables in the account. */
  get names(): Readonly<Record<TableName, string>> {
    return tableOf(tableNames, (name) => this.#tables[name].tableName);
  }

  grantCounting(to: LambdaFunction): void {
    this.#grant(to, 'counters', ['dynamodb:UpdateItem']);
  }

  /** Lets a public function look up an API key and update counters. It can neither create nor list API keys. */
  grantAccess(to: LambdaFunction): void {
    this.#grant(to, 'keys', ['dynamodb:GetItem']);
    this.grantCounting(to);
  }

  /** Lets the admin function manage API keys, read counters, append audit entries and manage sessions. */
  grantAdmin(to: LambdaFunction): void {
    this.#grant(to, 'keys', ['dynamodb:Scan', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);
    this.#grant(to, 'counters', ['dynamodb:Query', 'dynamodb:UpdateItem']);
    this.#grant(to, 'admin', ['dynamodb:PutItem', 'dynamodb:Query']);
    this.#grant(to, 'admin', ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${SESSION_PREFIX}*`] },
    });
  }

  #grant(to: LambdaFunction, name: TableName, actions: string[], conditions?: Record<string, unknown>): void {
    const resources = [this.#tables[name].tableArn];
    to.addToRolePolicy(new PolicyStatement({ actions, resources, ...(conditions && { conditions }) }));
  }

  #table(name: TableName, existing?: string): TableReference {
    if (existing !== undefined) return DynamoTable.fromTableName(this, name, existing);
    const { partitionKey, sortKey, ttlAttribute, isRetained } = tableRow(name);
    const table = new DynamoTable(this, name, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(sortKey !== undefined && { sortKey: { name: sortKey, type: AttributeType.NUMBER } }),
      ...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: isRetained ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      deletionProtection: isRetained,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isRetained },
    });
    if (!isRetained) {
      acknowledgeRules(table, {
        'AwsSolutions-DDB3': 'A counter lives as long as its window: without it, callers get their allowance again.',
      });
    }
    return table;
  }
}
