import { CfnOutput, RemovalPolicy } from "aws-cdk-lib";
import { Certificate, CertificateValidation } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { HostedZone } from "aws-cdk-lib/aws-route53";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { addDnsRecords } from "./api-domain.ts";
import type { Config } from "./config.ts";
import { EDGE_REGION, toEdgeNames, ORIGIN_SECRET_KEY, toOriginSecretName } from "./edge-names.ts";
import { StageStack } from "./stage-stack.ts";

export type EdgeProps = Pick<Config, "stage" | "account" | "removal" | "firstDeployment"> & {
  domain: NonNullable<Config["domain"]>;
  edge: NonNullable<Config["edge"]>;
  region: string;
};

/** Returns the edge's settings; undefined if the stage has no edge. */
export const toEdgeProps = (config: Config): EdgeProps | undefined => {
  const { domain, edge, region } = config;
  return domain === undefined || edge === undefined || region === undefined
    ? undefined
    : { ...config, domain, edge, region };
};

const PATH_CHARACTERS = 64;

/** The console's pages, which the edge does not cache, get this share of the limit. */
const PAGES_SHARE = 0.1;
/** The shortest period over which WAF counts requests. */
const WINDOW_SECONDS = 60;

const matchPathPrefix = (path: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: "STARTS_WITH",
    searchString: path,
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
});

const negateStatement = (statement: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty => ({
  notStatement: { statement },
});

type RateRule = { name: string; priority: number; limit: number; only?: CfnWebACL.StatementProperty };

/** Returns a rule that answers 429 to an IP address with over `limit` requests a minute. `only`: selects counted requests. */
const createRateRule = ({ name, priority, limit, only }: RateRule): CfnWebACL.RuleProperty => ({
  name,
  priority,
  statement: {
    rateBasedStatement: {
      aggregateKeyType: "IP",
      evaluationWindowSec: WINDOW_SECONDS,
      limit,
      ...(only === undefined ? {} : { scopeDownStatement: only }),
    },
  },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: "tooMany",
        responseHeaders: [{ name: "Retry-After", value: String(WINDOW_SECONDS) }],
      },
    },
  },
  visibilityConfig: { cloudWatchMetricsEnabled: true, metricName: name, sampledRequestsEnabled: true },
});

const addFirewall = (scope: Construct, { stage, edge }: EdgeProps): CfnWebACL =>
  new CfnWebACL(scope, "Firewall", {
    name: `event-alerting-${stage}`,
    scope: "CLOUDFRONT",
    defaultAction: { allow: {} },
    customResponseBodies: {
      // API Gateway answers a throttled request with the same message.
      tooMany: { contentType: "APPLICATION_JSON", content: JSON.stringify({ message: "Too Many Requests" }) },
    },
    rules: [
      createRateRule({ name: "requests", priority: 0, limit: edge.requestsPerMinute }),
      createRateRule({
        name: "pages",
        priority: 1,
        limit: Math.floor(edge.requestsPerMinute * PAGES_SHARE),
        only: {
          andStatement: {
            statements: [negateStatement(matchPathPrefix("/v1/")), negateStatement(matchPathPrefix("/assets/"))],
          },
        },
      }),
    ],
    visibilityConfig: {
      cloudWatchMetricsEnabled: true,
      metricName: `event-alerting-${stage}`,
      sampledRequestsEnabled: true,
    },
  });

/** Adds the secret with the secret path of the API, also to the stage's region. */
const addOriginSecret = (scope: Construct, { stage, region }: EdgeProps): Secret => {
  const secret = new Secret(scope, "OriginPath", {
    secretName: toOriginSecretName(stage),
    description: "The secret path under which the edge calls the API; created with the edge",
    generateSecretString: {
      secretStringTemplate: "{}",
      generateStringKey: ORIGIN_SECRET_KEY,
      passwordLength: PATH_CHARACTERS,
      excludePunctuation: true,
    },
    ...(region === EDGE_REGION ? {} : { replicaRegions: [{ region }] }),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acceptFindings(secret, {
    "AwsSolutions-SMG4":
      "Two stacks use the secret and are deployed one after the other. Rotating it in only one of them would block every request.",
  });
  return secret;
};

const addDistribution = (scope: Construct, props: EdgeProps): Distribution => {
  const { name, hostedZoneId } = props.domain;
  const origin = new HttpOrigin(toEdgeNames(name).origin, {
    originPath: `/${addOriginSecret(scope, props).secretValueFromJson(ORIGIN_SECRET_KEY).unsafeUnwrap()}`,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
  });
  // Plain HTTP is not redirected, because the first request would already reveal its API key.
  const viewerProtocolPolicy = ViewerProtocolPolicy.HTTPS_ONLY;
  const distribution = new Distribution(scope, "Distribution", {
    comment: `Edge of ${name}`,
    domainNames: [name],
    certificate: new Certificate(scope, "Certificate", {
      domainName: name,
      validation: CertificateValidation.fromDns(HostedZone.fromHostedZoneId(scope, "Zone", hostedZoneId)),
    }),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    httpVersion: HttpVersion.HTTP2_AND_3,
    webAclId: addFirewall(scope, props).attrArn,
    defaultBehavior: {
      origin,
      viewerProtocolPolicy,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    },
    // The URL of a file below /assets/ changes with its content.
    additionalBehaviors: { "/assets/*": { origin, viewerProtocolPolicy, cachePolicy: CachePolicy.CACHING_OPTIMIZED } },
  });
  acceptFindings(distribution, {
    "AwsSolutions-CFR1": "People on call may be in any country.",
    "AwsSolutions-CFR3": "API Gateway logs every request that passes; the firewall counts and samples what it refuses.",
  });
  return distribution;
};

/** The edge is a separate stack, because CloudFront's certificate and firewall must be in `EDGE_REGION`. */
export class EdgeStack extends StageStack {
  constructor(scope: Construct, props: EdgeProps) {
    const { domain } = props;
    super(scope, { ...props, region: EDGE_REGION }, { part: "edge", does: "the edge in front of a stage" });
    const distribution = addDistribution(this, props);
    addDnsRecords(this, toEdgeNames(domain.name).edge, domain.hostedZoneId, {
      dnsName: distribution.distributionDomainName,
      hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID,
    });
    new CfnOutput(this, "DistributionId", { value: distribution.distributionId });
  }
}
