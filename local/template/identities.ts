import { account, type Identity, region, type Template } from "./resolve.ts";

const toArn = (service: string, resource: string, inRegion: string = region) =>
  `arn:aws:${service}:${inRegion}:${account}:${resource}`;

type Resource = Template["Resources"][string];
export type Urls = { queues: string; api: string; signIn: string };

/** By default, the resource's id in the template, which is stable, too. */
const nameOf = ({ Properties }: Resource, property: string, id: string): string => {
  const given = Properties[property];
  return typeof given === "string" ? given : id;
};

/** The same at every start, because the name finds the table. */
export const identifyResource = (resource: Resource, id: string, urls: Urls): Identity => {
  const toIdentity = (ref: string, arn: string, attributes: Record<string, string> = {}): Identity => ({
    ref,
    attributes: { Arn: arn, ...attributes },
  });
  switch (resource.Type) {
    case "AWS::Lambda::Function": {
      const name = nameOf(resource, "FunctionName", id);
      return toIdentity(name, toArn("lambda", `function:${name}`));
    }
    case "AWS::IAM::Role":
      return toIdentity(nameOf(resource, "RoleName", id), toArn("iam", `role/${nameOf(resource, "RoleName", id)}`, ""));
    case "AWS::DynamoDB::Table": {
      const name = nameOf(resource, "TableName", id);
      return toIdentity(name, toArn("dynamodb", `table/${name}`));
    }
    case "AWS::SQS::Queue": {
      const name = nameOf(resource, "QueueName", id);
      return toIdentity(`${urls.queues}/${account}/${name}`, toArn("sqs", name), { QueueName: name });
    }
    case "AWS::SecretsManager::Secret": {
      const arn = toArn("secretsmanager", `secret:${nameOf(resource, "Name", id)}-000000`);
      return toIdentity(arn, arn, { Id: arn });
    }
    case "AWS::Events::Rule":
      return toIdentity(nameOf(resource, "Name", id), toArn("events", `rule/${nameOf(resource, "Name", id)}`));
    case "AWS::Cognito::UserPool": {
      const pool = `${region}_${id.slice(-9)}`;
      return toIdentity(pool, toArn("cognito-idp", `userpool/${pool}`), { UserPoolId: pool });
    }
    case "AWS::Cognito::UserPoolIdentityProvider":
      return toIdentity(nameOf(resource, "ProviderName", id), id);
    case "AWS::Cognito::UserPoolResourceServer":
      return toIdentity(nameOf(resource, "Identifier", id), id);
    case "AWS::ApiGatewayV2::Api":
      return toIdentity(id, toArn("apigateway", `/apis/${id}`), { ApiId: id, ApiEndpoint: urls.api });
    case "AWS::Connect::ContactFlow": {
      const arn = `${nameOf(resource, "InstanceArn", id)}/contact-flow/${id}`;
      return toIdentity(arn, arn, { ContactFlowArn: arn });
    }
    case "AWS::SES::ConfigurationSet": {
      const name = nameOf(resource, "Name", id);
      return toIdentity(name, toArn("ses", `configuration-set/${name}`));
    }
    case "AWS::SMSVOICE::ConfigurationSet": {
      const name = nameOf(resource, "ConfigurationSetName", id);
      return toIdentity(name, toArn("sms-voice", `configuration-set/${name}`));
    }
    case "AWS::Logs::LogGroup": {
      const name = nameOf(resource, "LogGroupName", id);
      return toIdentity(name, toArn("logs", `log-group:${name}:*`));
    }
    default:
      return toIdentity(id, toArn("local", `${resource.Type}/${id}`));
  }
};
