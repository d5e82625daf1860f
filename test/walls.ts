/*
 * Lists which files may import which others. A group is a folder or a file, and a file belongs to the group with the longest
 * matching path. Files of the same group may always import each other; all other imports must be listed here. A folder
 * in no group fails the test.
 */

type Room = {
  /** Folders and files of other groups, and names of packages that are not Node's own. */
  may: readonly string[];
  /** The permitted modules of Node; all of them by default. */
  node?: readonly string[];
};

const AWS_TABLE = ["@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb", "@aws-sdk/util-dynamodb"];
const NOTHING: readonly string[] = [];

/** The groups that a handler and its helpers may use. */
const service = ["core/deps.ts", "core/domain/", "core/flow/", "core/queue/", "core/store/", "core/wiring.ts"];
/** Modules that may be imported anywhere. */
const shared = ["tools/", "valibot"];
/** Everything behind the API, for code that measures or simulates it. */
const inside = [
  ...service,
  "core/identity/",
  "core/live",
  "core/log.ts",
  "core/new-id.ts",
  "core/post/",
  "core/push/",
  "core/sns/",
];

export const rooms: Readonly<Record<string, Room>> = {
  "bin/": { may: ["lib/"], node: NOTHING },
  // The stack imports no function: it refers to functions by the paths of their files.
  "lib/": {
    may: [
      "aws-cdk-lib",
      "cdk-nag",
      "console/build/",
      "constructs",
      "core/domain/basics/nearest.ts",
      "core/domain/delivery/push/call.ts",
      "core/domain/delivery/push/delivery-event.ts",
      "core/domain/device/phone.ts",
      "core/store/key-patterns.ts",
      "core/wiring.ts",
      "esbuild",
      "interface/",
      ...shared,
    ],
  },

  "functions/": {
    may: [
      ...service,
      "core/identity/",
      "core/live",
      "core/sns/",
      "functions/http/",
      "functions/sqs/",
      "interface/contracts/",
      "valibot",
    ],
    node: NOTHING,
  },
  // Needs `#paths`, because a 404 suggests the path that the caller may have meant.
  "functions/http/": {
    may: [
      ...service,
      "@middy/core",
      "@middy/http-json-body-parser",
      "#paths",
      "interface/contract.ts",
      "interface/problems.ts",
      "valibot",
    ],
    node: NOTHING,
  },
  "functions/sqs/": { may: [...service, "@middy/core", "valibot"], node: NOTHING },
  // Serving the console's files needs almost no code of the service.
  "functions/http/site.ts": {
    may: ["core/domain/basics/language.ts", "core/domain/basics/markup.ts", "valibot"],
    node: ["node:zlib"],
  },
  "functions/doors/serve-console.ts": {
    may: ["core/domain/basics/", "core/wiring.ts", "functions/http/", "valibot"],
    node: ["node:fs", "node:path"],
  },

  "core/": {
    may: [...inside, ...AWS_TABLE, "@aws-sdk/client-secrets-manager", "@aws-sdk/client-sqs", "valibot"],
  },
  "core/wiring.ts": { may: NOTHING, node: NOTHING },
  "core/domain/": { may: ["re2js", "valibot"], node: ["node:zlib"] },
  "core/store/": {
    may: [...AWS_TABLE, "core/deps.ts", "core/domain/", "core/wiring.ts", "valibot"],
    node: ["node:crypto", "node:zlib"],
  },
  "core/queue/": {
    may: ["@aws-sdk/client-sqs", "core/deps.ts", "core/domain/", "core/wiring.ts", "valibot"],
    node: NOTHING,
  },
  "core/push/": {
    may: ["core/deps.ts", "core/domain/", "core/post/", "core/wiring.ts", "firebase-admin", "valibot"],
  },
  "core/post/": { may: ["core/domain/", "valibot"] },
  "core/identity/": { may: ["core/deps.ts", "core/domain/", "valibot"], node: NOTHING },
  "core/sns/": { may: ["core/deps.ts", "core/domain/", "core/store/", "valibot"], node: ["node:crypto"] },
  "core/flow/": {
    may: ["core/deps.ts", "core/domain/", "core/queue/", "core/store/", "core/wiring.ts", "valibot"],
    node: NOTHING,
  },

  // Imports from the service only the on-call domain, the reasons of explanations, units of time and the types of the API
  // document. The importers are a separate bundle, which is loaded when a person chooses an export to import.
  "console/": {
    may: [
      "#importer",
      "@preact/signals",
      "core/domain/basics/clock/",
      "core/domain/basics/csv.ts",
      "core/domain/basics/mapping.ts",
      "core/domain/basics/units.ts",
      "core/domain/on-call/",
      "core/domain/people/scheduled-steps.ts",
      "core/domain/people/role.ts",
      "core/domain/planning/reason-texts.ts",
      "core/domain/planning/unmatched.ts",
      "core/domain/shifts/pay.ts",
      "core/domain/shifts/report-csv.ts",
      "core/domain/sources/form.ts",
      "core/domain/sources/mapped.ts",
      "preact",
      "#paths",
      "interface/contracts/index.ts",
      "interface/shapes.ts",
      "valibot",
    ],
    node: NOTHING,
  },
  // The build of the console runs in Node, not in the browser.
  "console/build/": {
    may: [
      "console/app/language.ts",
      "console/app/paths.ts",
      "console/style/colours.ts",
      "core/domain/basics/markup.ts",
      "esbuild",
      ...shared,
    ],
  },
  // The definition of the API, without its implementation.
  "interface/": {
    may: ["@valibot/to-json-schema", "core/domain/", "core/store/key-patterns.ts", "valibot"],
    node: NOTHING,
  },
  "local/": { may: [...inside, ...AWS_TABLE, "@aws-sdk/client-sqs", "aws-jwt-verify", "jose", "lib/", ...shared] },
  // The checks use HTTP only, and import only types of the API.
  "conformance/": { may: ["ajv", "interface/shapes.ts", ...shared] },

  "tools/": { may: ["console/app/paths.ts", "core/domain/basics/nearest.ts", "playwright-core", "valibot"] },
  "scripts/": {
    may: [
      ...inside,
      "conformance/",
      "console/app/paths.ts",
      "interface/",
      "lib/",
      "local/",
      "playwright-core",
      ...shared,
    ],
  },
  // The program is installed without the service: no AWS client, no table.
  "setup/": {
    may: [
      "core/domain/",
      "esbuild",
      "ical.js",
      "interface/contracts/index.ts",
      "interface/schema.ts",
      "yaml",
      ...shared,
    ],
  },
  // The client is installed without the service, and needs nothing else at run time.
  "client/": { may: ["esbuild", "valibot"] },
  "operator/": {
    may: [...inside, ...AWS_TABLE, "@aws-sdk/", "interface/", "lib/", "local/session.ts", ...shared],
  },
  "bench/": {
    may: [
      ...inside,
      ...AWS_TABLE,
      "bench/capacity/",
      "bench/lateness/",
      "lib/",
      "local/",
      "playwright-core",
      "re2js",
      "setup/import/import-export.ts",
      "setup/replay/replay.ts",
      "test/faults/",
      ...shared,
    ],
  },

  // Simulates storms of events with test/world/.
  "bench/capacity/": {
    may: [
      "aws-cdk-lib",
      "bench/prices.ts",
      "core/domain/basics/limits.ts",
      "core/push/limits.ts",
      "core/store/people/workspaces.ts",
      "core/wiring.ts",
      "lib/",
      "local/aws/meters.ts",
      "test/faults/engine/environment.ts",
      "test/world/world.ts",
      "tools/random.ts",
      "valibot",
    ],
  },

  // Lateness is measured in the explorer's runs.
  "bench/lateness/": { may: ["test/faults/", "valibot"] },

  // Tests of everything may import everything; their shared helpers may import less.
  "test/": { may: ["*"] },
  "test/world/": {
    may: [
      ...inside,
      ...AWS_TABLE,
      "@aws-sdk/client-sqs",
      "conformance/",
      "functions/",
      "interface/contract.ts",
      "interface/routes.ts",
      "lib/",
      "local/",
      "test/",
      "valibot",
      "vitest",
    ],
  },
  "test/faults/": {
    may: [
      ...inside,
      ...AWS_TABLE,
      "@aws-sdk/",
      "functions/",
      "lib/",
      "local/",
      "test/support/",
      "test/world/",
      "tinyqueue",
      ...shared,
    ],
  },
  "test/model/": { may: [...inside, "fast-check", "test/", "vitest", ...shared] },
  "test/browser/": {
    may: ["axe-core", "local/", "playwright-core", "test/support/catalogues.ts", "vitest", ...shared],
  },
};

/** The folders in a group, each of which may import only itself and those before it. `.`: files outside of these folders. */
export const shelves: Readonly<Record<string, readonly string[]>> = {
  "core/domain/": [
    "basics",
    "escalation",
    "on-call",
    "device",
    "people",
    "shifts",
    "workspace",
    "delivery",
    "event",
    "webhook",
    "connection",
    "rules",
    "planning",
    "heartbeat",
    "sources",
    "statistics",
    "matching",
  ],
  "core/flow/": [".", "read", "ingest", "respond", "admin", "notify", "match", "escalate", "deliver", "sweep"],
  "core/store/": [".", "events", "configuration", "delivery", "schedules", "people", "rules"],
};
