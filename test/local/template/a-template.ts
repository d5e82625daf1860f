import { join } from "node:path";

export type Resources = Record<string, { Type: string; Properties: Record<string, unknown>; Metadata?: object }>;

const statement = (action: string | string[], resource: unknown) => ({
  Effect: "Allow",
  Action: action,
  Resource: resource,
});
const document = (...statements: object[]) => ({ Version: "2012-10-17", Statement: statements });
const arn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });
const issuer = {
  "Fn::Join": ["", ["https://cognito-idp.", { Ref: "AWS::Region" }, ".amazonaws.com/", { Ref: "UserPool" }]],
};

const fn = (name: string, role: string, environment: object = {}) => ({
  Type: "AWS::Lambda::Function",
  Properties: {
    FunctionName: `service-${name}`,
    Handler: "index.handler",
    Runtime: "nodejs24.x",
    Role: arn(role),
    Timeout: 2,
    MemorySize: 256,
    Code: { S3Bucket: "bucket", S3Key: "key" },
    Environment: { Variables: environment },
  },
  Metadata: { "aws:asset:path": join(import.meta.dirname, "../fixtures", name) },
});

const role = (...statements: object[]) => ({
  Type: "AWS::IAM::Role",
  Properties: {
    AssumeRolePolicyDocument: document({ Principal: { Service: "lambda.amazonaws.com" } }),
    Policies: [{ PolicyName: "work", PolicyDocument: document(...statements) }],
  },
});

const permission = (id: string, principal: string, source: unknown) => ({
  Type: "AWS::Lambda::Permission",
  Properties: { Action: "lambda:InvokeFunction", FunctionName: arn(id), Principal: principal, SourceArn: source },
});

/** One route, one queue with its consumer, and one schedule. */
export const aTemplate = (): { Resources: Resources } => ({
  Resources: {
    Table: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
      },
    },
    Queue: {
      Type: "AWS::SQS::Queue",
      Properties: {
        VisibilityTimeout: 12,
        RedrivePolicy: { deadLetterTargetArn: arn("DeadLetters"), maxReceiveCount: 2 },
      },
    },
    DeadLetters: { Type: "AWS::SQS::Queue", Properties: {} },
    UserPool: { Type: "AWS::Cognito::UserPool", Properties: {} },
    Client: { Type: "AWS::Cognito::UserPoolClient", Properties: { UserPoolId: { Ref: "UserPool" } } },
    Echo: fn("echo", "Role", { TABLE_NAME: { Ref: "Table" }, QUEUE_URL: { Ref: "Queue" }, ISSUER: issuer }),
    Role: role(
      statement(["dynamodb:GetItem", "dynamodb:PutItem"], arn("Table")),
      statement("sqs:SendMessage", arn("Queue")),
    ),
    Faulty: fn("faulty", "FaultyRole"),
    FaultyRole: role(statement(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], arn("Queue"))),
    Mapping: {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: {
        EventSourceArn: arn("Queue"),
        FunctionName: { Ref: "Faulty" },
        BatchSize: 5,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
        ScalingConfig: { MaximumConcurrency: 2 },
      },
    },
    Timer: {
      Type: "AWS::Events::Rule",
      Properties: { ScheduleExpression: "rate(1 minute)", Targets: [{ Arn: arn("Echo"), Id: "0" }] },
    },
    TimerPermission: permission("Echo", "events.amazonaws.com", arn("Timer")),
    Api: { Type: "AWS::ApiGatewayV2::Api", Properties: { Name: "api", ProtocolType: "HTTP" } },
    Stage: {
      Type: "AWS::ApiGatewayV2::Stage",
      Properties: { ApiId: { Ref: "Api" }, StageName: "$default", AutoDeploy: true },
    },
    Authorizer: {
      Type: "AWS::ApiGatewayV2::Authorizer",
      Properties: {
        ApiId: { Ref: "Api" },
        AuthorizerType: "JWT",
        IdentitySource: ["$request.header.Authorization"],
        JwtConfiguration: { Audience: [{ Ref: "Client" }], Issuer: issuer },
        Name: "session",
      },
    },
    Integration: {
      Type: "AWS::ApiGatewayV2::Integration",
      Properties: {
        ApiId: { Ref: "Api" },
        IntegrationType: "AWS_PROXY",
        IntegrationUri: arn("Echo"),
        PayloadFormatVersion: "2.0",
      },
    },
    Route: {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: {
        ApiId: { Ref: "Api" },
        RouteKey: "GET /v1/things/{thingId}",
        Target: { "Fn::Join": ["/", ["integrations", { Ref: "Integration" }]] },
        AuthorizationType: "JWT",
        AuthorizerId: { Ref: "Authorizer" },
      },
    },
    ApiPermission: permission("Echo", "apigateway.amazonaws.com", {
      "Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*/*/v1/things/{thingId}",
    }),
  },
});
