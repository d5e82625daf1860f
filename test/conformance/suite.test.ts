import { afterAll, beforeAll, expect, it } from "vitest";
import { checks, runChecks, type Ended } from "../../conformance/run.ts";
import { startApp, type App } from "../support/app.ts";
import { serve } from "../support/serve.ts";
import { seededFaults } from "./seeded-faults.ts";

let app: App;
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  app = await startApp();
  served = await serve(app);
});
afterAll(async () => {
  await served.close();
  await app.close();
});

const run = async (sections: readonly string[]): Promise<Ended[]> => {
  const chosen = checks.filter(({ section }) => sections.includes(section));
  return Array.fromAsync(runChecks(served.baseUrl, served.session, chosen));
};

/** What failed, in words that the test's output shows whole. */
const failures = (ended: readonly Ended[]) =>
  ended.flatMap(({ check, outcome }) =>
    outcome.kind === "failed" ? [`${check.section}: ${check.holds}: ${outcome.reason}`] : [],
  );

it("finds nothing wrong with the interface in this process", { timeout: 180_000 }, async () => {
  const all = [...new Set(checks.map(({ section }) => section))];

  expect(failures(await run(all))).toEqual([]);
});

it.each(seededFaults)("notices $what", { timeout: 60_000 }, async ({ fault, sections }) => {
  served.setFault(fault);

  const found = failures(await run(sections));
  served.setFault({});

  expect(found).not.toEqual([]);
});
