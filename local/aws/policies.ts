import { matchesPattern } from "../template/model.ts";
import type { Statement } from "../template/resources.ts";

export type Principal = { name: string; statements: readonly Statement[] };
export type PolicyGrant = { functionName: string; action: string; resource: string };
export type Verdict = { allowed: true } | { allowed: false; message: string };

/** The access key id of this program's own requests, which have no policies and no meters. */
export const OPERATOR = "local-operator";

/** Services that nothing calls on this machine, so that their unused grants cannot be found. */
const UNSEEN = /^(?:logs|xray|cloudwatch):/;

/** Returns whether an action matches a statement's pattern. As in IAM, actions ignore case, but resources do not. */
const matchesAction = (pattern: string, action: string): boolean =>
  matchesPattern(pattern.toLowerCase(), action.toLowerCase());

/** Returns whether all partition keys of a request meet a statement's condition; true if there are no keys, as in IAM. */
const meetsConditions = ({ Condition = {} }: Statement, keys: readonly string[]): boolean => {
  const like = Condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? ["*"];
  const unlike = Condition["ForAllValues:StringNotLike"]?.["dynamodb:LeadingKeys"] ?? [];
  return keys.every(
    (key) =>
      like.some((pattern) => matchesPattern(pattern, key)) && !unlike.some((pattern) => matchesPattern(pattern, key)),
  );
};

/** Lists the effect (`Allow` or `Deny`) and the grant of each of a function's statements that match a call. */
const listMatchingStatements = (
  { name, statements }: Principal,
  action: string,
  resource: string,
  keys: readonly string[],
) =>
  statements.flatMap((statement) => {
    const { Effect, Action, Resource } = statement;
    if (!meetsConditions(statement, keys)) return [];
    const actions = Action.filter((pattern) => matchesAction(pattern, action));
    const resources = Resource.filter((pattern) => matchesPattern(pattern, resource));
    return actions.flatMap((pattern) =>
      resources.map((covered) => ({ Effect, grant: { functionName: name, action: pattern, resource: covered } })),
    );
  });

/** Allows a call if the effects of the matching statements contain Allow and no Deny. A refusal contains the reason. */
const decidePolicyVerdict = (caller: string, action: string, resource: string, effects: readonly string[]): Verdict => {
  if (effects.includes("Allow") && !effects.includes("Deny")) return { allowed: true };
  const reason = effects.includes("Deny")
    ? "with an explicit deny in an identity-based policy"
    : `because no identity-based policy allows the ${action} action`;
  return {
    allowed: false,
    message: `User: ${caller} is not authorized to perform: ${action} on resource: ${resource} ${reason}`,
  };
};

/** Lists what a function may do with an AWS service such as `sqs`: a grant for each action and resource. */
const listGrants = (service: string, { name, statements }: Principal): PolicyGrant[] =>
  statements
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(({ Action, Resource }) =>
      Action.filter((action) => action.startsWith(`${service}:`) && !UNSEEN.test(action)).flatMap((action) =>
        Resource.map((resource): PolicyGrant => ({ functionName: name, action, resource })),
      ),
    );

/** Creates a check of AWS calls against the functions' IAM policies. As in IAM, a statement must allow and none may deny a call. */
export const createPolicies = (principals: readonly Principal[]) => {
  const byName = new Map(principals.map((principal) => [principal.name, principal]));
  const used = new Set<string>();
  const verdicts = new Map<string, Verdict>();
  const formatGrantKey = ({ functionName, action, resource }: PolicyGrant) => `${functionName} ${action} ${resource}`;
  const listStatementsOfFunction = (name: string, action: string, resource: string, keys: readonly string[]) =>
    listMatchingStatements(byName.get(name) ?? { name, statements: [] }, action, resource, keys);

  return {
    isKnown: (name: string): boolean => name === OPERATOR || byName.has(name),
    /** Decides whether a function may make a call. `keys`: partition keys that the call accesses. */
    authorize: (name: string, action: string, resource: string, keys: readonly string[] = []): Verdict => {
      if (name === OPERATOR) return { allowed: true };
      const isConditional = byName.get(name)?.statements.some(({ Condition }) => Condition !== undefined) === true;
      const key = formatGrantKey({ functionName: name, action, resource });
      const known = isConditional ? undefined : verdicts.get(key);
      if (known !== undefined) return known;
      const found = listStatementsOfFunction(name, action, resource, keys);
      for (const { grant } of found) used.add(formatGrantKey(grant));
      const effects = found.map(({ Effect }) => Effect);
      const verdict = decidePolicyVerdict(name, action, resource, effects);
      if (!isConditional) verdicts.set(key, verdict);
      return verdict;
    },
    /** Returns whether a statement allows the call without regard to `Deny` and keys. Does not count the grant as used. */
    mayEver: (name: string, action: string, resource: string): boolean =>
      listStatementsOfFunction(name, action, resource, []).some(({ Effect }) => Effect === "Allow"),
    unusedGrants: (service: string): PolicyGrant[] =>
      principals.flatMap((principal) =>
        listGrants(service, principal).filter((grant) => !used.has(formatGrantKey(grant))),
      ),
  };
};
export type Policies = ReturnType<typeof createPolicies>;
