import { fullDiff, ResourceImpact } from "@aws-cdk/cloudformation-diff";
import { idOf, type Resource } from "./support.ts";

/*
 * Upgrades a stack from one template to another like CloudFormation: in the order of the resources' dependencies, deletions last.
 */

type Statement = { Effect: string; Action: string | string[]; Resource?: unknown; Principal?: unknown };
export type Template = Readonly<Record<string, Resource>>;

export type Walk = {
  /** Replaced and removed resources, by logical id; `kept`: whether the old resource remains. */
  gone: { id: string; type: string; how: "replaced" | "removed"; kept: boolean }[];
  /** The names of created resources that a resource of the old template already has. */
  collisions: string[];
  /** Functions that temporarily lack a permission that they had before the upgrade. */
  gaps: string[];
};

/** Properties whose value only one resource of a type may have. */
const NAMES = ["FunctionName", "LogGroupName", "AlarmName", "DashboardName", "RouteKey", "Domain", "TableName"];

const nameOf = ({ Type, Properties }: Resource): string | undefined => {
  if (Type === "AWS::Lambda::Permission" || Type === "AWS::Lambda::EventSourceMapping") return undefined;
  const name = NAMES.map((key) => Properties[key]).find((value) => typeof value === "string");
  return name === undefined ? undefined : `${Type} ${name}`;
};

const listAllowedActions = (role: Resource | undefined): Set<string> => {
  const policies = (role?.Properties["Policies"] ?? []) as { PolicyDocument: { Statement: Statement[] } }[];
  return new Set(
    policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .flatMap(({ Effect, Action, Resource: on, ...rest }) =>
        [Action]
          .flat()
          .flatMap((action) => [on].flat().map((resource) => JSON.stringify([Effect, action, resource, rest]))),
      ),
  );
};

const removesPermissions = (from: Resource | undefined, to: Resource): boolean => {
  const after = listAllowedActions(to);
  return [...listAllowedActions(from)].some((right) => !after.has(right));
};

/** Returns whether a remaining route still leads to this integration. */
const isStillCalled = (from: Template, to: Template, id: string): boolean =>
  Object.entries(from).some(
    ([routeId, { Type, Properties }]) =>
      Type === "AWS::ApiGatewayV2::Route" &&
      to[routeId] !== undefined &&
      JSON.stringify(Properties["Target"] ?? "").includes(`"${id}"`),
  );

/** Lists the functions and integrations whose role loses permissions before they are replaced. */
const listGaps = (from: Template, to: Template): string[] =>
  Object.entries(from).flatMap(([id, user]) => {
    const roleId = idOf(user.Properties["Role"] ?? user.Properties["CredentialsArn"] ?? "");
    const role = to[roleId];
    // A removed function is no longer called, except by an integration whose route is not changed yet.
    return (to[id] === undefined && !isStillCalled(from, to, id)) ||
      role === undefined ||
      !removesPermissions(from[roleId], role)
      ? []
      : [id];
  });

export const walkUpgrade = (from: Template, to: Template): Walk => {
  const gone: Walk["gone"] = [];
  const made: string[] = [];
  fullDiff({ Resources: from }, { Resources: to }).resources.forEachDifference((id, change) => {
    const impact = change.changeImpact;
    const replaced = impact === ResourceImpact.WILL_REPLACE || impact === ResourceImpact.MAY_REPLACE;
    if (replaced || impact === ResourceImpact.WILL_CREATE) made.push(id);
    // A replacement uses the new template. A removal uses the template with which the resource was created.
    if (replaced)
      gone.push({ id, type: to[id]!.Type, how: "replaced", kept: to[id]!.UpdateReplacePolicy === "Retain" });
    if (impact === ResourceImpact.WILL_DESTROY || impact === ResourceImpact.WILL_ORPHAN)
      gone.push({
        id,
        type: from[id]!.Type,
        how: "removed",
        kept: from[id]!.DeletionPolicy?.startsWith("Retain") === true,
      });
  });
  const taken = new Set(Object.values(from).map(nameOf));
  return {
    gone,
    collisions: made.map((id) => nameOf(to[id]!)).filter((name) => name !== undefined && taken.has(name)) as string[],
    gaps: listGaps(from, to),
  };
};
