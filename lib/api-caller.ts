import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
  PayloadFormatVersion,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";

/** A role's inline policies have at most 10,240 characters, enough for about a hundred function ARNs. */
const CALLEES_MAX = 60;

class FunctionIntegration extends HttpRouteIntegration {
  private readonly config: HttpRouteIntegrationConfig;

  constructor(id: string, config: HttpRouteIntegrationConfig) {
    super(id);
    this.config = config;
  }

  override bind(): HttpRouteIntegrationConfig {
    return this.config;
  }
}

/**
 * Lets the API call its functions through roles that name them. CDK would put a permission beside each function, and
 * use up a fifth of the 500 resources that a stack may have.
 */
export class ApiCaller extends Construct {
  private readonly integrations = new Map<string, HttpRouteIntegration>();
  private current: { role: Role; statement: PolicyStatement } | undefined;

  constructor(scope: Construct) {
    super(scope, "Caller");
  }

  /** The integration of a function, shared by all of its routes. */
  integrationOf(name: string, handler: LambdaFunction): HttpRouteIntegration {
    const known = this.integrations.get(name);
    if (known !== undefined) return known;
    if (this.current === undefined || this.integrations.size % CALLEES_MAX === 0) this.current = this.addRole();
    const { role, statement } = this.current;
    statement.addResources(handler.functionArn);
    const integration = new FunctionIntegration(name, {
      type: HttpIntegrationType.AWS_PROXY,
      uri: handler.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(role),
    });
    this.integrations.set(name, integration);
    return integration;
  }

  private addRole() {
    const statement = new PolicyStatement({ effect: Effect.ALLOW, actions: ["lambda:InvokeFunction"] });
    const role = new Role(this, `Role${this.integrations.size / CALLEES_MAX}`, {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      inlinePolicies: { call: new PolicyDocument({ statements: [statement] }) },
    });
    return { role, statement };
  }
}
