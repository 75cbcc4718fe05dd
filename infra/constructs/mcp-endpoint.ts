// Where CloudFront reaches the MCP server: a function URL, since one path and one function leave nothing to route.
import { FunctionUrl, FunctionUrlAuthType, type IFunction, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export interface McpEndpointProps {
  readonly function: IFunction;
}

export class McpEndpoint extends Construct {
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, props: McpEndpointProps) {
    super(scope, id);
    this.url = new FunctionUrl(this, 'Url', {
      function: props.function,
      // Whoever calls it directly lacks the secret header, which the function checks first.
      authType: FunctionUrlAuthType.NONE,
      // Nothing streams: an answer is one JSON document.
      invokeMode: InvokeMode.BUFFERED,
      // No CORS: the URL would answer OPTIONS itself.
    });
  }
}
