import { SecretValue } from "aws-cdk-lib";

/** Where CloudFront finds its certificates and its firewall, wherever the service is. */
export const EDGE_REGION = "us-east-1";

/** The names below a stage's domain that its edge needs: where the edge is, and where the edge finds the API. */
export const edgeNames = (domainName: string): { edge: string; origin: string } => ({
  edge: `edge.${domainName}`,
  origin: `origin.${domainName}`,
});

/** The secret with the path, in the edge's region and in the stage's. */
export const originSecretName = (stage: string): string => `event-alerting/${stage}/origin-path`;
export const ORIGIN_SECRET_KEY = "key";

/** The path below which the API answers the edge. CloudFormation puts it in: the template has only its name. */
export const originPath = (stage: string): string =>
  SecretValue.secretsManager(originSecretName(stage), { jsonField: ORIGIN_SECRET_KEY }).unsafeUnwrap();
