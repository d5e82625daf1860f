import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Accepts cdk-nag findings for a construct and everything below it. `reasons`: why findings are acceptable, by rule id. */
export const acceptFindings = (construct: IConstruct, reasons: Record<string, string>): void =>
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
