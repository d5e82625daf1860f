import { SecretValue } from "aws-cdk-lib";

/** CloudFront requires that its certificates and firewall are in this region. */
export const EDGE_REGION = "us-east-1";

/** Returns the domain name of the edge (CloudFront), and the domain name under which the edge calls the API (`origin`). */
export const toEdgeNames = (domainName: string): { edge: string; origin: string } => ({
  edge: `edge.${domainName}`,
  origin: `origin.${domainName}`,
});

/** Returns the name of the secret with the edge's secret path, which exists in the edge's region and in the stage's region. */
export const toOriginSecretName = (stage: string): string => `event-alerting/${stage}/origin-path`;
export const ORIGIN_SECRET_KEY = "key";

/** Returns the secret path by which the edge calls the API. The template names the secret; CloudFormation inserts the path. */
export const resolveOriginPath = (stage: string): string =>
  SecretValue.secretsManager(toOriginSecretName(stage), { jsonField: ORIGIN_SECRET_KEY }).unsafeUnwrap();
