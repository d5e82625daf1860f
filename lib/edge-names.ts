import { SecretValue } from "aws-cdk-lib";

/** CloudFront requires its certificates and firewall in this region. */
export const EDGE_REGION = "us-east-1";

/** The name of the edge, and the name under which the edge calls the API. */
export const toEdgeNames = (domainName: string): { edge: string; origin: string } => ({
  edge: `edge.${domainName}`,
  origin: `origin.${domainName}`,
});

/** The name of the secret that contains the edge's secret path, in the edge's region and in the stage's region. */
export const toOriginSecretName = (stage: string): string => `event-alerting/${stage}/origin-path`;
export const ORIGIN_SECRET_KEY = "key";

/** The secret path under which the API answers the edge. CloudFormation inserts the secret, so the template has only its name. */
export const resolveOriginPath = (stage: string): string =>
  SecretValue.secretsManager(toOriginSecretName(stage), { jsonField: ORIGIN_SECRET_KEY }).unsafeUnwrap();
