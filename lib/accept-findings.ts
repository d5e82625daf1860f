import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Says of a construct, and of all below it, why a finding of cdk-nag is how it should be. `reasons`: by the rule's id. */
export const acceptFindings = (construct: IConstruct, reasons: Record<string, string>): void =>
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
