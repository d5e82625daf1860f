import { account, type Identity, region, type Template } from "./resolve.ts";

const toArn = (service: string, resource: string, arnRegion: string = region) =>
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
  const toIdentity = (reference: string, arn: string, attributes: Record<string, string> = {}): Identity => ({
    ref: reference,
    attributes: { Arn: arn, ...attributes },
  });
  switch (resource.Type) {
    case "AWS::Lambda::Function": {
      const name = readName(resource, "FunctionName", id);
      return toIdentity(name, toArn("lambda", `function:${name}`));
    }
    case "AWS::IAM::Role":
      return toIdentity(
        readName(resource, "RoleName", id),
        toArn("iam", `role/${readName(resource, "RoleName", id)}`, ""),
      );
    case "AWS::DynamoDB::Table": {
      const name = readName(resource, "TableName", id);
      return toIdentity(name, toArn("dynamodb", `table/${name}`));
    }
    case "AWS::SQS::Queue": {
      const name = readName(resource, "QueueName", id);
      return toIdentity(`${urls.queues}/${account}/${name}`, toArn("sqs", name), { QueueName: name });
    }
    case "AWS::SecretsManager::Secret": {
      const arn = toArn("secretsmanager", `secret:${readName(resource, "Name", id)}-000000`);
      return toIdentity(arn, arn, { Id: arn });
    }
    case "AWS::Events::Rule":
      return toIdentity(readName(resource, "Name", id), toArn("events", `rule/${readName(resource, "Name", id)}`));
    case "AWS::Cognito::UserPool": {
      const pool = `${region}_${id.slice(-9)}`;
      return toIdentity(pool, toArn("cognito-idp", `userpool/${pool}`), { UserPoolId: pool });
    }
    case "AWS::Cognito::UserPoolIdentityProvider":
      return toIdentity(readName(resource, "ProviderName", id), id);
    case "AWS::Cognito::UserPoolResourceServer":
      return toIdentity(readName(resource, "Identifier", id), id);
    case "AWS::ApiGatewayV2::Api":
      return toIdentity(id, toArn("apigateway", `/apis/${id}`), { ApiId: id, ApiEndpoint: urls.api });
    case "AWS::Connect::ContactFlow": {
      const arn = `${readName(resource, "InstanceArn", id)}/contact-flow/${id}`;
      return toIdentity(arn, arn, { ContactFlowArn: arn });
    }
    case "AWS::SES::ConfigurationSet": {
      const name = readName(resource, "Name", id);
      return toIdentity(name, toArn("ses", `configuration-set/${name}`));
    }
    case "AWS::SMSVOICE::ConfigurationSet": {
      const name = readName(resource, "ConfigurationSetName", id);
      return toIdentity(name, toArn("sms-voice", `configuration-set/${name}`));
    }
    case "AWS::Logs::LogGroup": {
      const name = readName(resource, "LogGroupName", id);
      return toIdentity(name, toArn("logs", `log-group:${name}:*`));
    }
    default:
      return toIdentity(id, toArn("local", `${resource.Type}/${id}`));
  }
};
