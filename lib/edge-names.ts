import { SecretValue } from "aws-cdk-lib";

/** The region in which CloudFront requires its certificates and its firewall, whatever the service's region. */
export const EDGE_REGION = "us-east-1";

/** Returns the domain names that a stage's edge needs: the edge's own, and the name by which the edge calls the API. */
export const edgeNames = (domainName: string): { edge: string; origin: string } => ({
  edge: `edge.${domainName}`,
  origin: `origin.${domainName}`,
});

/** Returns the name of the secret with the edge's secret path, in the regions of the edge and of the stage. */
export const originSecretName = (stage: string): string => `event-alerting/${stage}/origin-path`;
export const ORIGIN_SECRET_KEY = "key";

/**
 * Returns the secret path under which the API answers the edge. CloudFormation inserts the secret: the template has only its
 * name.
 */
export const originPath = (stage: string): string =>
  SecretValue.secretsManager(originSecretName(stage), { jsonField: ORIGIN_SECRET_KEY }).unsafeUnwrap();
