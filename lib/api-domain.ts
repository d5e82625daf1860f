import { ApiMapping, DomainName, type HttpApi, type HttpStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate, CertificateValidation } from "aws-cdk-lib/aws-certificatemanager";
import { CfnRecordSet, HostedZone } from "aws-cdk-lib/aws-route53";
import { Construct } from "constructs";
import type { Config } from "./config.ts";

export type ApiDomainProps = { domain: NonNullable<Config["domain"]>; api: HttpApi; stage: HttpStage };

/** The API under a custom domain name: certificate, proof of ownership and records in the Route 53 zone. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { domain, api, stage }: ApiDomainProps) {
    super(scope, id);
    const { name, hostedZoneId } = domain;
    const domainName = new DomainName(this, "DomainName", {
      domainName: name,
      certificate: new Certificate(this, "Certificate", {
        domainName: name,
        validation: CertificateValidation.fromDns(HostedZone.fromHostedZoneId(this, "Zone", hostedZoneId)),
      }),
    });
    new ApiMapping(this, "Mapping", { api, domainName, stage });
    for (const type of ["A", "AAAA"])
      new CfnRecordSet(this, `Record${type}`, {
        name,
        type,
        hostedZoneId,
        aliasTarget: { dnsName: domainName.regionalDomainName, hostedZoneId: domainName.regionalHostedZoneId },
      });
  }
}
