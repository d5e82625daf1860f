import type { Mutants } from "../mutant.ts";

/** Mutants of the stack: what holds while a stage is deployed, and what rings. */
export const stackMutants: Mutants = {
  "role-narrowed-in-place": {
    takes: "the new role for a function that may do something else",
    at: ["lib/service-function.ts", "roleOf"],
    from: "slice(0, ROLE_ID_DIGITS)",
    to: "slice(0, 0)",
    caughtBy: { test: "test/lib/upgrade.test.ts" },
  },
  "caller-by-index": {
    takes: "the role that calls a function by the function's name",
    at: ["lib/api-caller.ts", "ApiCaller"],
    from: "const id = roleIdOf(name);",
    to: "const id = `Role${Math.floor(this.integrations.size / 60)}`;",
    caughtBy: { test: "test/lib/upgrade.test.ts" },
  },
  "access-logs-thrown-away": {
    takes: "the old log of requests when it gets another name",
    at: ["lib/http-api.ts", "ServiceApi"],
    drops: "updateReplacePolicy = CfnDeletionPolicy.RETAIN;",
    caughtBy: { test: "test/lib/upgrade.test.ts" },
  },
  "orphaned-provider": {
    takes: "the end of a provider that a failed deployment made",
    at: ["lib/config.ts", "keptUnlessNew"],
    from: "RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE",
    to: "RemovalPolicy.RETAIN",
    caughtBy: { test: "test/lib/github-deployer.test.ts" },
  },
  "foreign-kinds-of-items": {
    takes: "the kinds of items that a function which strangers reach may touch",
    at: ["lib/service-function.ts", "tableStatements"],
    from: "statement.addConditions(conditions);",
    to: "void conditions;",
    caughtBy: { test: "test/lib/leading-keys.test.ts" },
  },
  "receipt-without-firings": {
    takes: "the leave of the function that takes receipts to read what escalations have fired",
    at: ["interface/contracts/receipts.ts", "takeReceipt"],
    from: `"firings",
        "grouped",
        "openEvents",
        "markers",`,
    to: `"grouped",
        "openEvents",
        "markers",`,
    caughtBy: { test: "test/interface/receipts.test.ts" },
  },
  // An edge is the only door.
  "back-door-open": {
    takes: "the closing of the address that AWS gave the API",
    at: ["lib/http-api.ts", "ServiceApi"],
    drops: "disableExecuteApiEndpoint: true",
    caughtBy: { test: "test/lib/edge.test.ts" },
  },
  "origin-for-everybody": {
    takes: "the path that nobody but the edge knows",
    at: ["lib/api-domain.ts", "ApiDomain"],
    drops: "path: originPath(stage),",
    caughtBy: { test: "test/lib/edge.test.ts" },
  },
  "names-move-too-soon": {
    takes: "the wait of the stage's name for what the edge needs",
    at: ["lib/api-domain.ts", "ApiDomain"],
    from: "record.node.addDependency(origin);",
    to: "void record;",
    caughtBy: { test: "test/lib/edge.test.ts" },
  },
  "timeouts-not-told-apart": {
    takes: "the status by which a log tells a timeout from what ended well",
    at: ["lib/observability.ts", "TIMED_OUT"],
    drops: 'FilterPattern.stringValue("$.record.status", "=", "timeout"),',
    caughtBy: { test: "test/lib/aws-alarms-ring.test.ts" },
  },
  "intake-unwatched": {
    takes: "the alarms over what takes something in beside post-event",
    at: ["lib/stack.ts", "EventAlertingStack"],
    from: "routes.filter(isIntake)",
    to: 'routes.filter(({ entry }) => entry === "events/post-event")',
    caughtBy: { test: "test/lib/aws-alarms-ring.test.ts" },
  },
  // A restore loses nothing that nobody knows of.
  "intake-stopped-in-part": {
    takes: "all but ingest from what is stopped before a restore",
    at: ["interface/routes.ts", "isWriting"],
    from: "access.table.some((action) => WRITES.includes(action))",
    to: "access.table.every((action) => WRITES.includes(action))",
    caughtBy: { test: "test/operator/recovery.test.ts" },
  },
  "role-unasked": {
    takes: "the check of a member's role",
    at: ["functions/http/auth.ts", "member"],
    from: "if (!isOneself) await",
    to: "if (isOneself) await",
    caughtBy: { test: "test/interface/roles.test.ts" },
  },
};
