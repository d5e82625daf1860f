import { account, type Identity, region, type Template } from "./resolve.ts";

const createArn = (service: string, resource: string, arnRegion: string = region) =>
  `arn:aws:${service}:${arnRegion}:${account}:${resource}`;

type Resource = Template["Resources"][string];
export type Urls = { queues: string; api: string; signIn: string };

/** Returns the name in the property, or else the resource's id in the template, which is stable, too. */
const readName = ({ Properties }: Resource, property: string, id: string): string => {
  const given = Properties[property];
  return typeof given === "string" ? given : id;
};

/** Returns a resource's `Ref` and attributes, the same at every start: the stored table is found by its name. */
export const identifyResource = (resource: Resource, id: string, urls: Urls): Identity => {
  const createIdentity = (reference: string, arn: string, attributes: Record<string, string> = {}): Identity => ({
    ref: reference,
    attributes: { Arn: arn, ...attributes },
  });
  switch (resource.Type) {
    case "AWS::Lambda::Function": {
      const name = readName(resource, "FunctionName", id);
      return createIdentity(name, createArn("lambda", `function:${name}`));
    }
    case "AWS::IAM::Role":
      return createIdentity(
        readName(resource, "RoleName", id),
        createArn("iam", `role/${readName(resource, "RoleName", id)}`, ""),
      );
    case "AWS::DynamoDB::Table": {
      const name = readName(resource, "TableName", id);
      return createIdentity(name, createArn("dynamodb", `table/${name}`));
    }
    case "AWS::SQS::Queue": {
      const name = readName(resource, "QueueName", id);
      return createIdentity(`${urls.queues}/${account}/${name}`, createArn("sqs", name), { QueueName: name });
    }
    case "AWS::SecretsManager::Secret": {
      const arn = createArn("secretsmanager", `secret:${readName(resource, "Name", id)}-000000`);
      return createIdentity(arn, arn, { Id: arn });
    }
    case "AWS::Events::Rule":
      return createIdentity(
        readName(resource, "Name", id),
        createArn("events", `rule/${readName(resource, "Name", id)}`),
      );
    case "AWS::Cognito::UserPool": {
      const pool = `${region}_${id.slice(-9)}`;
      return createIdentity(pool, createArn("cognito-idp", `userpool/${pool}`), { UserPoolId: pool });
    }
    case "AWS::Cognito::UserPoolIdentityProvider":
      return createIdentity(readName(resource, "ProviderName", id), id);
    case "AWS::Cognito::UserPoolResourceServer":
      return createIdentity(readName(resource, "Identifier", id), id);
    case "AWS::ApiGatewayV2::Api":
      return createIdentity(id, createArn("apigateway", `/apis/${id}`), { ApiId: id, ApiEndpoint: urls.api });
    case "AWS::Connect::ContactFlow": {
      const arn = `${readName(resource, "InstanceArn", id)}/contact-flow/${id}`;
      return createIdentity(arn, arn, { ContactFlowArn: arn });
    }
    case "AWS::SES::ConfigurationSet": {
      const name = readName(resource, "Name", id);
      return createIdentity(name, createArn("ses", `configuration-set/${name}`));
    }
    case "AWS::SMSVOICE::ConfigurationSet": {
      const name = readName(resource, "ConfigurationSetName", id);
      return createIdentity(name, createArn("sms-voice", `configuration-set/${name}`));
    }
    case "AWS::Logs::LogGroup": {
      const name = readName(resource, "LogGroupName", id);
      return createIdentity(name, createArn("logs", `log-group:${name}:*`));
    }
    default:
      return createIdentity(id, createArn("local", `${resource.Type}/${id}`));
  }
};
