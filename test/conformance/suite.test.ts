import { expect, it } from "vitest";
import type { Check } from "../../conformance/check.ts";
import { checks, runChecks } from "../../conformance/run.ts";
import { startServedApp } from "../support/filled-app.ts";
import { seededFaults } from "./seeded-faults.ts";

const { served } = await startServedApp();

const findFirstFailure = async (chosen: readonly Check[]): Promise<{ check: Check; reason: string } | undefined> => {
  for await (const { check, outcome } of runChecks(served.baseUrl, served.session, chosen))
    if (outcome.kind === "failed") return { check, reason: outcome.reason };
  return undefined;
};

// `npm run test:grants` shows on the local service that a service without a fault passes all checks.
it.each(Object.entries(seededFaults))(
  "the conformance suite detects the seeded fault: %s",
  async (_, { fault, section }) => {
    served.setFault(fault);

    const found = await findFirstFailure(checks.filter((check) => check.section === section));
    served.setFault({});

    if (found === undefined) expect.fail("every check passed");
    // Without the seeded fault, the check must pass. A failure's reason must say what is wrong with the service.
    const still = await findFirstFailure([found.check]);
    if (still !== undefined) expect.fail(`${still.check.section}: ${still.check.holds}: ${still.reason}`);
  },
);
