// Creates the function URL through which CloudFront reaches the MCP server: one path and one function need no routing.
import { FunctionUrl, FunctionUrlAuthType, type IFunction, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export interface McpEndpointProps {
  readonly function: IFunction;
}

/** Creates a public function URL. The function rejects requests without the origin secret. */
export class McpEndpoint extends Construct {
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, props: McpEndpointProps) {
    super(scope, id);
    this.url = new FunctionUrl(this, 'Url', {
      function: props.function,
      // The function first checks the origin secret, which direct callers do not have.
      authType: FunctionUrlAuthType.NONE,
      // An answer is one JSON document and does not stream.
      invokeMode: InvokeMode.BUFFERED,
      // With CORS, the function URL would answer OPTIONS itself.
    });
  }
}
