/** An area of code that is pure or nearly pure, its tests, and the share of its mutants that the tests must catch. */
export type Area = {
  code: readonly string[];
  /** Folders inside the code that are measured separately. */
  except?: readonly string[];
  tests: readonly string[];
  /** Tests that are too slow to run for each mutant: they start a whole service, build, or use many random cases. */
  slow?: readonly string[];
  /**
   * Whether one process may run the area's tests repeatedly: no test needs its own process or sets up state for a whole file.
   * A mutant in code that runs when its file is loaded, not within a test, needs a new process.
   */
  repeatable?: boolean;
  /** The share of the mutants that the tests must catch, in percent. */
  goal: number;
};

/** The environment variable with the name of the area for Vitest. */
export const AREA = "MUTATION_AREA";

/** Returns the area of a folder of the domain, whose tests are in the folder of the same name. `inner`: folders to leave out. */
const createDomainArea = (folder: string, ...inner: readonly string[]): Area => ({
  code: [`core/domain/${folder}`],
  except: inner.map((name) => `core/domain/${folder}/${name}`),
  tests: [`test/core/domain/${folder}`],
  repeatable: true,
  goal: 85,
});

/** The folders about people, measured as one. */
const foldersAboutPeople = ["device", "people", "shifts", "workspace"];

export const areas: Readonly<Record<string, Area>> = {
  basics: { ...createDomainArea("basics"), slow: ["test/core/domain/basics/json-fault-properties.test.ts"] },
  people: {
    ...createDomainArea("people"),
    code: foldersAboutPeople.map((folder) => `core/domain/${folder}`),
    tests: foldersAboutPeople.map((folder) => `test/core/domain/${folder}`),
  },
  "on-call": { ...createDomainArea("on-call"), slow: ["test/core/domain/on-call/clock-changes.test.ts"] },
  // The tests of planning also test traces, drafts and silences.
  rules: {
    ...createDomainArea("rules", "matching"),
    tests: ["test/core/domain/rules", "test/core/domain/planning"],
    slow: ["test/core/domain/rules/matching"],
  },
  matching: {
    ...createDomainArea("rules/matching"),
    code: ["core/domain/rules/matching", "core/domain/matching"],
    slow: ["test/core/domain/rules/matching/expensive-rules.test.ts"],
  },
  event: createDomainArea("event"),
  delivery: createDomainArea("delivery"),
  escalation: createDomainArea("escalation"),
  heartbeat: createDomainArea("heartbeat"),
  statistics: createDomainArea("statistics"),
  webhook: createDomainArea("webhook"),
  connection: createDomainArea("connection"),
  planning: createDomainArea("planning"),
  sources: createDomainArea("sources"),
  flow: {
    code: ["ingest/refuse-admission", "notify/repeat-until-done", "share-calls", "sweep/due-items"].map(
      (file) => `core/flow/${file}.ts`,
    ),
    tests: ["test/core/flow/pure-parts.test.ts"],
    repeatable: true,
    goal: 90,
  },
  store: {
    code: ["codec", "episodes", "keys"].map((file) => `core/store/${file}.ts`),
    tests: ["codec", "keys"].map((name) => `test/core/store/${name}.test.ts`),
    repeatable: true,
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
    except: ["setup/import"],
    tests: ["test/setup"],
    slow: [
      "test/setup/import",
      "test/setup/workspace.test.ts",
      "test/setup/invitations.test.ts",
      "test/setup/action.test.ts",
    ],
    repeatable: true,
    goal: 80,
  },
  importers: {
    code: ["setup/import"],
    tests: ["test/setup/import"],
    slow: ["test/setup/import/accounts"],
    repeatable: true,
    goal: 85,
  },
  operator: {
    code: ["operator"],
    tests: ["test/operator"],
    slow: ["add-many-people", "erasure", "first-day"].map((name) => `test/operator/${name}.test.ts`),
    repeatable: true,
    goal: 80,
  },
  console: { code: ["console/app"], tests: ["test/console"], slow: ["test/console/build"], goal: 85 },
};

const listPatterns = (paths: readonly string[], suffix: string): string[] =>
  paths.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*${suffix}`));

export const listTestPatterns = (paths: readonly string[]): string[] => listPatterns(paths, ".test.ts");

/** Returns the patterns of an area's files, as Stryker reads them. */
export const listFilePatterns = ({ code, except = [] }: Area): string[] => [
  ...listPatterns(code, ".ts"),
  ...except.map((folder) => `!${folder}/**`),
];

export const isInArea = ({ code, except = [] }: Area, file: string): boolean =>
  file.endsWith(".ts") &&
  code.some((path) => file === path || file.startsWith(`${path}/`)) &&
  !except.some((folder) => file.startsWith(`${folder}/`));
