/** Code that is pure or nearly pure, its tests, and the share of its mutants that the tests must catch. */
export type Room = {
  code: readonly string[];
  /** Folders inside the code that are measured separately. */
  not?: readonly string[];
  tests: readonly string[];
  /** Tests that are too slow to run for each mutant: they start a whole service, build, or use many random cases. */
  slow?: readonly string[];
  /**
   * Whether one process may run the group's tests repeatedly: no test needs its own process or sets up state for a whole file.
   * A mutant in code that runs when its file is loaded, not within a test, needs a new process.
   */
  again?: boolean;
  /** The share of the mutants that the tests must catch, in percent. */
  goal: number;
};

/** The environment variable with the name of the group for Vitest. */
export const ROOM = "MUTATION_ROOM";

/** Returns the group of a folder of the domain, whose tests are in the folder of the same name. */
const createDomainGroup = (folder: string, ...rooms: readonly string[]): Room => ({
  code: [`core/domain/${folder}`],
  not: rooms.map((inner) => `core/domain/${folder}/${inner}`),
  tests: [`test/core/domain/${folder}`],
  again: true,
  goal: 85,
});

/** The folders about people, measured as one. */
const peoplesFolders = ["device", "people", "shifts", "workspace"];

export const rooms: Readonly<Record<string, Room>> = {
  basics: { ...createDomainGroup("basics"), slow: ["test/core/domain/basics/json-fault-properties.test.ts"] },
  people: {
    ...createDomainGroup("people"),
    code: peoplesFolders.map((folder) => `core/domain/${folder}`),
    tests: peoplesFolders.map((folder) => `test/core/domain/${folder}`),
  },
  "on-call": { ...createDomainGroup("on-call"), slow: ["test/core/domain/on-call/clock-changes.test.ts"] },
  // The tests of planning also test traces, drafts and silences.
  rules: {
    ...createDomainGroup("rules", "matching"),
    tests: ["test/core/domain/rules", "test/core/domain/planning"],
    slow: ["test/core/domain/rules/matching"],
  },
  matching: {
    ...createDomainGroup("rules/matching"),
    code: ["core/domain/rules/matching", "core/domain/matching"],
    slow: ["test/core/domain/rules/matching/expensive-rules.test.ts"],
  },
  event: createDomainGroup("event"),
  delivery: createDomainGroup("delivery"),
  escalation: createDomainGroup("escalation"),
  heartbeat: createDomainGroup("heartbeat"),
  statistics: createDomainGroup("statistics"),
  webhook: createDomainGroup("webhook"),
  connection: createDomainGroup("connection"),
  planning: createDomainGroup("planning"),
  sources: createDomainGroup("sources"),
  flow: {
    code: ["ingest/refuse-admission", "notify/repeat-until-done", "share-calls", "sweep/due-items"].map(
      (file) => `core/flow/${file}.ts`,
    ),
    tests: ["test/core/flow/pure-parts.test.ts"],
    again: true,
    goal: 90,
  },
  store: {
    code: ["codec", "episodes", "keys"].map((file) => `core/store/${file}.ts`),
    tests: ["codec", "keys"].map((name) => `test/core/store/${name}.test.ts`),
    again: true,
    goal: 90,
  },
  push: { code: ["core/push"], tests: ["test/core/push"], goal: 90 },
  queue: { code: ["core/queue"], tests: ["test/core/queue"], goal: 85 },
  http: {
    code: ["functions/http"],
    tests: ["test/functions/http", "test/interface/mistakes.test.ts", "test/interface/two-people.test.ts"],
    goal: 85,
  },
  "setup file": {
    code: ["setup"],
    not: ["setup/import"],
    tests: ["test/setup"],
    slow: [
      "test/setup/import",
      "test/setup/workspace.test.ts",
      "test/setup/invitations.test.ts",
      "test/setup/action.test.ts",
    ],
    again: true,
    goal: 80,
  },
  importers: {
    code: ["setup/import"],
    tests: ["test/setup/import"],
    slow: ["test/setup/import/accounts"],
    again: true,
    goal: 85,
  },
  operator: {
    code: ["operator"],
    tests: ["test/operator"],
    slow: ["add-many-people", "erasure", "first-day"].map((name) => `test/operator/${name}.test.ts`),
    again: true,
    goal: 80,
  },
  console: { code: ["console/app"], tests: ["test/console"], slow: ["test/console/build"], goal: 85 },
};

const listPatterns = (some: readonly string[], end: string): string[] =>
  some.map((one) => (one.endsWith(".ts") ? one : `${one}/**/*${end}`));

export const listTestPatterns = (some: readonly string[]): string[] => listPatterns(some, ".test.ts");

/** Returns the patterns of the files of a group, as Stryker reads them. */
export const listFilePatterns = ({ code, not = [] }: Room): string[] => [
  ...listPatterns(code, ".ts"),
  ...not.map((folder) => `!${folder}/**`),
];

export const isIn = ({ code, not = [] }: Room, file: string): boolean =>
  file.endsWith(".ts") &&
  code.some((one) => file === one || file.startsWith(`${one}/`)) &&
  !not.some((folder) => file.startsWith(`${folder}/`));
