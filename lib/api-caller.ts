import { createHash } from "node:crypto";
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

/** The number of roles. One role is too few: its inline policies have at most 10,240 characters, or about 100 function ARNs. */
const ROLES = 4;

/**
 * Chooses a function's role by its name, not by the order of routes, so new routes do not move functions to other roles. If
 * `ROLES` changes, CloudFormation creates new roles with new ids before it deletes the old roles.
 */
const chooseRoleId = (name: string): string => {
  const [digit = 0] = createHash("sha256").update(name).digest();
  return `Role${digit % ROLES}of${ROLES}`;
};

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
 * Lets the API call its functions with roles that list these functions. CDK would add a permission per function, which would
 * use a fifth of the 500 resources that a stack may have.
 */
export class ApiCaller extends Construct {
  private readonly integrations = new Map<string, HttpRouteIntegration>();
  private readonly roles = new Map<string, { role: Role; statement: PolicyStatement }>();

  constructor(scope: Construct) {
    super(scope, "Caller");
  }

  integrationOf(name: string, handler: LambdaFunction): HttpRouteIntegration {
    const known = this.integrations.get(name);
    if (known !== undefined) return known;
    const { role, statement } = this.roleFor(name);
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

  private roleFor(name: string) {
    const id = chooseRoleId(name);
    const known = this.roles.get(id);
    if (known !== undefined) return known;
    const statement = new PolicyStatement({ effect: Effect.ALLOW, actions: ["lambda:InvokeFunction"] });
    const role = new Role(this, id, {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      inlinePolicies: { call: new PolicyDocument({ statements: [statement] }) },
    });
    const made = { role, statement };
    this.roles.set(id, made);
    return made;
  }
}
