import { account, type Identity, region } from "./resolve.ts";

const arnOf = (service: string, resource: string, inRegion: string = region) =>
  `arn:aws:${service}:${inRegion}:${account}:${resource}`;

/** A resource as it stands in the template, references and all. */
export type Raw = { type: string; properties: Record<string, unknown>; assetPath: string | undefined };

/** The name of a resource: the one that the stack gives, or the one from the template, which is as lasting. */
const nameOf = ({ properties }: Raw, property: string, id: string): string => {
  const given = properties[property];
  return typeof given === "string" ? given : id;
};

/** What a resource is called here. The same at every start, for the table is found again by its name. */
export const identityOf = (raw: Raw, id: string, urls: { queues: string; api: string }): Identity => {
  const plain = (ref: string, arn: string, attributes: Record<string, string> = {}): Identity => ({
    ref,
    attributes: { Arn: arn, ...attributes },
  });
  switch (raw.type) {
    case "AWS::Lambda::Function": {
      const name = nameOf(raw, "FunctionName", id);
      return plain(name, arnOf("lambda", `function:${name}`));
    }
    case "AWS::IAM::Role":
      return plain(nameOf(raw, "RoleName", id), arnOf("iam", `role/${nameOf(raw, "RoleName", id)}`, ""));
    case "AWS::DynamoDB::Table": {
      const name = nameOf(raw, "TableName", id);
      return plain(name, arnOf("dynamodb", `table/${name}`));
    }
    case "AWS::SQS::Queue": {
      const name = nameOf(raw, "QueueName", id);
      return plain(`${urls.queues}/${account}/${name}`, arnOf("sqs", name), { QueueName: name });
    }
    case "AWS::SecretsManager::Secret": {
      const arn = arnOf("secretsmanager", `secret:${nameOf(raw, "Name", id)}-000000`);
      return plain(arn, arn, { Id: arn });
    }
    case "AWS::Events::Rule":
      return plain(nameOf(raw, "Name", id), arnOf("events", `rule/${nameOf(raw, "Name", id)}`));
    case "AWS::Cognito::UserPool": {
      const pool = `${region}_${id.slice(-9)}`;
      return plain(pool, arnOf("cognito-idp", `userpool/${pool}`), { UserPoolId: pool });
    }
    case "AWS::ApiGatewayV2::Api":
      return plain(id, arnOf("apigateway", `/apis/${id}`), { ApiId: id, ApiEndpoint: urls.api });
    case "AWS::Logs::LogGroup": {
      const name = nameOf(raw, "LogGroupName", id);
      return plain(name, arnOf("logs", `log-group:${name}:*`));
    }
    default:
      return plain(id, arnOf("local", `${raw.type}/${id}`));
  }
};
