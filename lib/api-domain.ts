import { ApiMapping, DomainName, type HttpApi, type HttpStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate, CertificateValidation } from "aws-cdk-lib/aws-certificatemanager";
import { CfnRecordSet, HostedZone } from "aws-cdk-lib/aws-route53";
import { Construct } from "constructs";
import type { Config } from "./config.ts";
import { toEdgeNames, resolveOriginPath } from "./edge-names.ts";

export type ApiDomainProps = Pick<Config, "stage" | "edge"> & {
  domain: NonNullable<Config["domain"]>;
  api: HttpApi;
  stageOfApi: HttpStage;
};

/** The target of a DNS record: a name in AWS or in the same zone. */
type Target = { dnsName: string; hostedZoneId: string };

/** Adds DNS records by which `name` resolves to the target, for IPv4 and IPv6. `hostedZoneId`: the zone of `name`. */
export const addDnsRecords = (scope: Construct, name: string, hostedZoneId: string, target: Target): CfnRecordSet[] =>
  ["A", "AAAA"].map(
    (type) => new CfnRecordSet(scope, `Record${type}`, { name, type, hostedZoneId, aliasTarget: target }),
  );

type NameProps = { name: string; hostedZoneId: string; api: HttpApi; stage: HttpStage; path?: string };

/** Adds a domain name with a certificate to the API, and returns the target for DNS records. `path`: the prefix of all paths. */
const addDomainName = (scope: Construct, { name, hostedZoneId, api, stage, path }: NameProps): Target => {
  const domainName = new DomainName(scope, "DomainName", {
    domainName: name,
    certificate: new Certificate(scope, "Certificate", {
      domainName: name,
      validation: CertificateValidation.fromDns(HostedZone.fromHostedZoneId(scope, "Zone", hostedZoneId)),
    }),
  });
  new ApiMapping(scope, "Mapping", { api, domainName, stage, ...(path === undefined ? {} : { apiMappingKey: path }) });
  return { dnsName: domainName.regionalDomainName, hostedZoneId: domainName.regionalHostedZoneId };
};

/** The API's own domain name. If the stage has an edge, the name resolves to the edge, which calls the API by a secret path. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { domain, edge, stage, api, stageOfApi }: ApiDomainProps) {
    super(scope, id);
    const { name, hostedZoneId } = domain;
    const names = toEdgeNames(name);
    if (edge?.mode !== "only") {
      const direct = addDomainName(this, { name, hostedZoneId, api, stage: stageOfApi });
      if (edge === undefined) {
        addDnsRecords(this, name, hostedZoneId, direct);
        return;
      }
    }
    const origin = new Construct(this, "Origin");
    const target = addDomainName(origin, {
      name: names.origin,
      hostedZoneId,
      api,
      stage: stageOfApi,
      path: resolveOriginPath(stage),
    });
    addDnsRecords(origin, names.origin, hostedZoneId, target);
    // The DNS records change last, when everything that the edge needs exists.
    for (const record of addDnsRecords(this, name, hostedZoneId, { dnsName: names.edge, hostedZoneId }))
      record.node.addDependency(origin);
  }
}
