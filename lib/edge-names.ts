import { SecretValue } from "aws-cdk-lib";

/** The region in which CloudFront requires its certificates and its firewall, wherever the service is. */
export const EDGE_REGION = "us-east-1";

/** Returns the names that a stage's edge needs: the edge's own, and the one by which the edge calls the API. */
export const edgeNames = (domainName: string): { edge: string; origin: string } => ({
  edge: `edge.${domainName}`,
  origin: `origin.${domainName}`,
});

/** Returns the name of the secret that contains the path, in the edge's region and in the stage's. */
export const originSecretName = (stage: string): string => `event-alerting/${stage}/origin-path`;
export const ORIGIN_SECRET_KEY = "key";

/** Returns the path under which the API answers the edge. CloudFormation inserts the secret value: the template contains only the secret's name. */
export const originPath = (stage: string): string =>
  SecretValue.secretsManager(originSecretName(stage), { jsonField: ORIGIN_SECRET_KEY }).unsafeUnwrap();
