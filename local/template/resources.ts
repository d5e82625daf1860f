import * as v from "valibot";

/*
 * For each type of resource, lists the properties that are simulated, and the properties without a local effect (such as
 * encryption and monitoring). Any other property prevents the start, because the service would behave differently from AWS.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const texts = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((one) => [one]),
  ),
]);

/** Creates the schema of a resource's properties. `ignoredProperties`: the properties without a local effect. */
const createPropertiesSchema = <Entries extends v.ObjectEntries>(entries: Entries, ...ignoredProperties: string[]) => {
  // The type of `ignored` is empty, so that code cannot read properties without a local effect.
  const ignored: object = Object.fromEntries(
    [...ignoredProperties, "Tags", "Description"].map((name) => [name, v.optional(v.unknown())]),
  );
  return v.strictObject({ ...ignored, ...entries });
};

/** A statement of a policy. Only conditions on the table's keys are supported. */
export const Statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(["Allow", "Deny"]),
  Action: texts,
  Resource: texts,
  Condition: v.optional(
    v.strictObject({
      "ForAllValues:StringLike": v.optional(v.strictObject({ "dynamodb:LeadingKeys": texts })),
      "ForAllValues:StringNotLike": v.optional(v.strictObject({ "dynamodb:LeadingKeys": texts })),
    }),
  ),
});
export type Statement = v.InferOutput<typeof Statement>;

const PolicyDocument = v.strictObject({ Version: v.literal("2012-10-17"), Statement: v.array(Statement) });

/** Creates a schema that parses `rate(5 minutes)` into ms. As in EventBridge, the minimum is a minute, written `1 minute`. */
const createRateSchema = (unit: string, unitMs: number) =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(String.raw`^rate\((?:1 ${unit}|(?!1 )[1-9]\d* ${unit}s)\)$`)),
    v.transform((rate) => Number.parseInt(rate.slice("rate(".length), 10) * unitMs),
  );
const Rate = v.union(
  [createRateSchema("minute", 60_000), createRateSchema("hour", 3_600_000), createRateSchema("day", 86_400_000)],
  "only rate(...) in minutes, hours or days is supported here",
);

/** Variables that only Lambda may set. */
const RESERVED =
  /^(?:_HANDLER|_X_AMZN_TRACE_ID|LAMBDA_.*|AWS_(?:DEFAULT_)?REGION|AWS_(?:ACCESS|SECRET|SESSION|LAMBDA|EXECUTION)_.*)$/;
const VARIABLES_MAX_BYTES = 4096;
const Variables = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.regex(/^[a-zA-Z]\w+$/, "the name of a variable must consist of letters, digits and underscores"),
      v.check((name) => !RESERVED.test(name), "a variable has a name that Lambda reserves"),
    ),
    v.string(),
  ),
  v.check(
    (variables) => Buffer.byteLength(JSON.stringify(variables)) <= VARIABLES_MAX_BYTES,
    "the variables of a function have 4 KB at most",
  ),
);

/** A statement that denies requests without TLS. The local service treats loopback like TLS. */
const TlsOnly = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.literal("Deny"),
  Action: v.literal("sqs:*"),
  Principal: v.unknown(),
  Resource: v.unknown(),
  Condition: v.strictObject({ Bool: v.strictObject({ "aws:SecureTransport": v.literal("false") }) }),
});

const FromTopic = v.strictObject({
  Effect: v.literal("Allow"),
  Action: v.literal("sqs:SendMessage"),
  Principal: v.strictObject({ Service: v.literal("sns.amazonaws.com") }),
  Resource: v.unknown(),
  Condition: v.strictObject({ ArnEquals: v.strictObject({ "aws:SourceArn": v.string() }) }),
});

const RouteSettings = v.strictObject({
  ThrottlingBurstLimit: v.optional(count),
  ThrottlingRateLimit: v.optional(v.number()),
  DetailedMetricsEnabled: v.optional(v.boolean()),
});

export const schemas = {
  "AWS::Lambda::Function": createPropertiesSchema(
    {
      FunctionName: v.optional(
        v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, "a function's name has 64 characters at most")),
      ),
      Handler: v.literal("index.handler"),
      Runtime: v.literal("nodejs24.x"),
      Role: v.string(),
      MemorySize: v.optional(v.pipe(count, v.minValue(128), v.maxValue(10_240)), 128),
      Timeout: v.optional(v.pipe(count, v.minValue(1), v.maxValue(900)), 3),
      ReservedConcurrentExecutions: v.optional(count),
      Environment: v.optional(v.strictObject({ Variables }), { Variables: {} }),
    },
    "Architectures",
    "Code",
    "LoggingConfig",
    // The local service does not detect functions that invoke each other endlessly.
    "RecursiveLoop",
    "TracingConfig",
  ),
  "AWS::Lambda::Permission": createPropertiesSchema({
    Action: v.literal("lambda:InvokeFunction"),
    FunctionName: v.string(),
    Principal: v.string(),
    SourceArn: v.string(),
    SourceAccount: v.optional(v.string()),
  }),
  "AWS::Connect::ContactFlow": createPropertiesSchema(
    { InstanceArn: v.string(), Type: v.literal("CONTACT_FLOW"), Content: v.string() },
    "Name",
  ),
  "AWS::SES::ConfigurationSet": createPropertiesSchema({ Name: v.string() }, "SuppressionOptions"),
  "AWS::SES::ConfigurationSetEventDestination": createPropertiesSchema({
    ConfigurationSetName: v.string(),
    EventDestination: v.strictObject({
      Name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
      Enabled: v.literal(true),
      MatchingEventTypes: v.pipe(v.array(v.picklist(["bounce", "complaint"])), v.minLength(1)),
      SnsDestination: v.strictObject({ TopicARN: v.string() }),
    }),
  }),
  "AWS::SMSVOICE::ConfigurationSet": createPropertiesSchema({
    ConfigurationSetName: v.string(),
    EventDestinations: v.strictTuple([
      v.strictObject({
        EventDestinationName: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
        Enabled: v.literal(true),
        MatchingEventTypes: v.pipe(
          v.array(v.pipe(v.string(), v.regex(/^TEXT_[A-Z_]+$/))),
          v.minLength(1),
          v.maxLength(43),
        ),
        SnsDestination: v.strictObject({ TopicArn: v.string() }),
      }),
    ]),
  }),
  "AWS::Lambda::EventSourceMapping": createPropertiesSchema({
    EventSourceArn: v.string(),
    FunctionName: v.string(),
    Enabled: v.optional(v.boolean(), true),
    BatchSize: v.optional(
      v.pipe(count, v.minValue(1), v.maxValue(10, "batches of more than 10 are not supported here")),
      10,
    ),
    MaximumBatchingWindowInSeconds: v.optional(v.literal(0, "a batching window is not supported here"), 0),
    FunctionResponseTypes: v.optional(v.array(v.literal("ReportBatchItemFailures")), []),
    ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.optional(count) }), {}),
  }),
  "AWS::IAM::Role": createPropertiesSchema(
    {
      RoleName: v.optional(v.string()),
      AssumeRolePolicyDocument: v.unknown(),
      Policies: v.optional(v.array(v.strictObject({ PolicyName: v.string(), PolicyDocument })), []),
    },
    "Path",
  ),
  "AWS::IAM::Policy": createPropertiesSchema({ PolicyName: v.string(), PolicyDocument, Roles: v.array(v.string()) }),
  "AWS::DynamoDB::Table": createPropertiesSchema(
    {
      TableName: v.optional(v.string()),
      // The stand-in's table has exactly the keys `pk` and `sk`.
      AttributeDefinitions: v.array(
        v.strictObject({ AttributeName: v.picklist(["pk", "sk"]), AttributeType: v.literal("S") }),
      ),
      KeySchema: v.strictTuple([
        v.strictObject({ AttributeName: v.literal("pk"), KeyType: v.literal("HASH") }),
        v.strictObject({ AttributeName: v.literal("sk"), KeyType: v.literal("RANGE") }),
      ]),
      BillingMode: v.literal("PAY_PER_REQUEST"),
    },
    "DeletionProtectionEnabled",
    // This machine is too slow to reach a new table's capacity; test/world/partition-limit.ts checks it in virtual time.
    "WarmThroughput",
    "PointInTimeRecoverySpecification",
    "SSESpecification",
    // The stand-in keeps expired items. On AWS, expired items may stay for days, so no code may rely on their deletion.
    "TimeToLiveSpecification",
  ),
  "AWS::SQS::Queue": createPropertiesSchema(
    {
      QueueName: v.optional(v.string()),
      VisibilityTimeout: v.optional(count, 30),
      DelaySeconds: v.optional(count, 0),
      MessageRetentionPeriod: v.optional(count, 345_600),
      ReceiveMessageWaitTimeSeconds: v.optional(count, 0),
      RedrivePolicy: v.optional(v.strictObject({ deadLetterTargetArn: v.string(), maxReceiveCount: count })),
    },
    "SqsManagedSseEnabled",
    "RedriveAllowPolicy",
  ),
  "AWS::SQS::QueuePolicy": createPropertiesSchema({
    Queues: v.array(v.string()),
    PolicyDocument: v.strictObject({ Version: v.string(), Statement: v.array(v.union([TlsOnly, FromTopic])) }),
  }),
  "AWS::SNS::Subscription": createPropertiesSchema({
    Protocol: v.literal("sqs"),
    Endpoint: v.string(),
    TopicArn: v.string(),
    RawMessageDelivery: v.optional(v.literal(true)),
    FilterPolicy: v.optional(v.record(v.string(), v.array(v.string()))),
    FilterPolicyScope: v.optional(
      v.literal("MessageBody", "only filter patterns on the message body are supported here"),
    ),
  }),
  "AWS::SecretsManager::Secret": createPropertiesSchema({ Name: v.optional(v.string()) }, "GenerateSecretString"),
  "AWS::Events::Rule": createPropertiesSchema({
    Name: v.optional(v.string()),
    ScheduleExpression: Rate,
    State: v.optional(v.picklist(["ENABLED", "DISABLED"]), "ENABLED"),
    Targets: v.array(v.strictObject({ Arn: v.string(), Id: v.string(), RetryPolicy: v.optional(v.unknown()) })),
  }),
  "AWS::ApiGatewayV2::Api": createPropertiesSchema(
    {
      ProtocolType: v.literal("HTTP"),
      CorsConfiguration: v.optional(
        v.strictObject({
          AllowOrigins: v.array(v.string()),
          AllowMethods: v.array(v.string()),
          AllowHeaders: v.optional(v.array(v.string()), []),
          ExposeHeaders: v.optional(v.array(v.string()), []),
          MaxAge: v.optional(count),
        }),
      ),
    },
    "Name",
  ),
  "AWS::ApiGatewayV2::Stage": createPropertiesSchema(
    {
      ApiId: v.string(),
      StageName: v.literal("$default"),
      AutoDeploy: v.literal(true),
      DefaultRouteSettings: v.optional(RouteSettings, {}),
      RouteSettings: v.optional(v.record(v.string(), RouteSettings), {}),
    },
    "AccessLogSettings",
  ),
  "AWS::ApiGatewayV2::Integration": v.variant("IntegrationType", [
    createPropertiesSchema({
      ApiId: v.string(),
      IntegrationType: v.literal("AWS_PROXY"),
      IntegrationUri: v.string(),
      PayloadFormatVersion: v.literal("2.0"),
      CredentialsArn: v.optional(v.string()),
      TimeoutInMillis: v.optional(v.pipe(count, v.minValue(50), v.maxValue(30_000)), 30_000),
    }),
    createPropertiesSchema({
      ApiId: v.string(),
      IntegrationType: v.literal("HTTP_PROXY"),
      IntegrationMethod: v.string(),
      IntegrationUri: v.string(),
      PayloadFormatVersion: v.literal("1.0"),
    }),
  ]),
  "AWS::ApiGatewayV2::Route": createPropertiesSchema({
    ApiId: v.string(),
    RouteKey: v.pipe(
      v.string(),
      v.regex(/^(?:[A-Z]+ \/\S*|\$default)$/, "only the route keys METHOD /path and $default are supported here"),
    ),
    Target: v.string(),
    AuthorizationType: v.optional(v.picklist(["NONE", "JWT"]), "NONE"),
    AuthorizerId: v.optional(v.string()),
  }),
  "AWS::ApiGatewayV2::Authorizer": createPropertiesSchema(
    {
      ApiId: v.string(),
      AuthorizerType: v.literal("JWT"),
      IdentitySource: v.tuple([v.literal("$request.header.Authorization")]),
      JwtConfiguration: v.strictObject({ Audience: v.array(v.string()), Issuer: v.string() }),
    },
    "Name",
  ),
  "AWS::Cognito::UserPool": createPropertiesSchema(
    { MfaConfiguration: v.optional(v.picklist(["OFF", "OPTIONAL", "ON"]), "OFF") },
    "AccountRecoverySetting",
    "AdminCreateUserConfig",
    "AutoVerifiedAttributes",
    "DeletionProtection",
    "EmailConfiguration",
    "EmailVerificationMessage",
    "EmailVerificationSubject",
    "EnabledMfas",
    "Policies",
    "SmsVerificationMessage",
    "UserAttributeUpdateSettings",
    "UserPoolTags",
    "UserPoolTier",
    "UsernameAttributes",
    "UsernameConfiguration",
    "VerificationMessageTemplate",
  ),
  "AWS::Cognito::UserPoolDomain": createPropertiesSchema({ UserPoolId: v.string(), Domain: v.string() }),
  "AWS::Cognito::UserPoolIdentityProvider": createPropertiesSchema({
    UserPoolId: v.string(),
    ProviderName: v.pipe(v.string(), v.regex(/^[^_\p{Z}][\p{L}\p{M}\p{S}\p{N}\p{P}]{0,31}$/u)),
    ProviderType: v.literal("OIDC", "only providers with OpenID Connect are supported here"),
    ProviderDetails: v.strictObject({
      client_id: v.string(),
      client_secret: v.string(),
      authorize_scopes: v.pipe(v.string(), v.regex(/(?:^| )openid(?: |$)/, "the scope openid is required")),
      attributes_request_method: v.picklist(["GET", "POST"]),
      oidc_issuer: v.pipe(
        v.string(),
        v.regex(
          /^https:\/\/[a-z0-9.-]+(?::443|:80)?(?:\/[^?#]*[^/?#])?$/i,
          "Cognito takes an issuer by https on the ports 443 and 80, without a slash at its end",
        ),
      ),
    }),
    AttributeMapping: v.optional(v.record(v.string(), v.string()), {}),
  }),
  "AWS::Cognito::UserPoolResourceServer": createPropertiesSchema(
    {
      UserPoolId: v.string(),
      Identifier: v.string(),
      Scopes: v.array(v.strictObject({ ScopeName: v.string(), ScopeDescription: v.string() })),
    },
    "Name",
  ),
  "AWS::Cognito::UserPoolClient": createPropertiesSchema(
    {
      UserPoolId: v.string(),
      ClientName: v.optional(v.string()),
      AllowedOAuthFlowsUserPoolClient: v.optional(v.boolean(), false),
      AllowedOAuthFlows: v.optional(
        v.array(
          v.picklist(
            ["code", "client_credentials"],
            "only the OAuth flows code and client_credentials are supported here",
          ),
        ),
        [],
      ),
      AllowedOAuthScopes: v.optional(v.array(v.string()), []),
      CallbackURLs: v.optional(v.array(v.string()), []),
      LogoutURLs: v.optional(v.array(v.string()), []),
      GenerateSecret: v.optional(v.boolean(), false),
      SupportedIdentityProviders: v.optional(v.array(v.string()), ["COGNITO"]),
      /** The attributes that a sign-in may write. Default: all attributes. */
      WriteAttributes: v.optional(v.array(v.string())),
      AccessTokenValidity: v.optional(count, 60),
      RefreshTokenValidity: v.optional(count, 43_200),
      TokenValidityUnits: v.optional(
        v.strictObject({
          AccessToken: v.literal("minutes"),
          IdToken: v.optional(v.literal("minutes")),
          RefreshToken: v.optional(v.literal("minutes")),
        }),
      ),
      RefreshTokenRotation: v.optional(
        v.strictObject({ Feature: v.literal("ENABLED"), RetryGracePeriodSeconds: v.optional(count, 0) }),
      ),
    },
    "EnableTokenRevocation",
    "ExplicitAuthFlows",
    "IdTokenValidity",
    "PreventUserExistenceErrors",
  ),
} as const;
export type ResourceType = keyof typeof schemas;
export type PropertiesOf<Type extends ResourceType> = v.InferOutput<(typeof schemas)[Type]>;

/** Types of resources without a local effect: monitoring, logs, sign-in. */
export const inertTypes: ReadonlySet<string> = new Set([
  "AWS::CDK::Metadata",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::CompositeAlarm",
  "AWS::CloudWatch::Dashboard",
  // An IntegrationAssociation only lists the function in Connect's own console.
  "AWS::Connect::IntegrationAssociation",
  // An EventInvokeConfig sets how often Lambda retries a scheduled invocation; the local service never retries an invocation.
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
]);
