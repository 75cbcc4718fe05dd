// Creates what CloudFront sends requests to: the HTTP API with the routes of the contract, and the function URL of the MCP
// server, where one path and one function need no routing.
import { Stack } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FunctionUrl, FunctionUrlAuthType, type IFunction, type InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { DEFAULT_LAMBDA, gatewayRows } from '../../shared/contract/routes.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import type { PosternLambda } from './postern-lambda.ts';

/** Creates a public function URL. The function rejects requests without the origin secret, which direct callers do not have. */
export const createFunctionUrl = (scope: Construct, target: IFunction, invokeMode: InvokeMode): FunctionUrl =>
  // With CORS, the function URL would answer OPTIONS itself.
  new FunctionUrl(scope, 'Url', { function: target, authType: FunctionUrlAuthType.NONE, invokeMode });

/**
 * Creates the HTTP API from the contract, and one permission per function for API Gateway to invoke it. A path leads to its
 * Lambda for every method. All other paths lead to discovery: most documents, and what is unknown, because the answers of the
 * HTTP API itself cannot be changed.
 */
export class HttpRoutes extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, functions: Readonly<Record<LambdaName, PosternLambda>>) {
    super(scope, id);
    // With CORS, API Gateway would answer OPTIONS itself, without the headers of the contract.
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName.toLowerCase(),
      description: 'Postern, behind CloudFront',
      defaultIntegration: functions[DEFAULT_LAMBDA].integration,
    });
    acknowledgeRules(this.api, {
      'AwsSolutions-APIG4': 'Everyone may read. The functions check the API keys, which only raise an allowance.',
      'AwsSolutions-APIG1': 'Each function logs every request that it answers.',
      'Serverless-APIGWAccessLogging': 'Each function logs every request that it answers.',
      'Serverless-APIGWDefaultThrottling': 'The functions limit their callers.',
    });
    for (const { path, lambda } of gatewayRows) {
      this.api.addRoutes({ path, methods: [HttpMethod.ANY], integration: functions[lambda].integration });
    }
    // The integration grants `API/*/*/*`, which matches `STAGE/METHOD/path`. The source of this route is
    // `STAGE/$default`, which does not match: without its own permission, API Gateway answers 500 for unknown paths.
    functions[DEFAULT_LAMBDA].function.addPermission('DefaultRoute', {
      scope: this,
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.api.apiId,
        resourceName: '*/$default',
      }),
    });
  }
}
