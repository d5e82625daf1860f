import { expect, it } from "vitest";
import { findUnusedGrants } from "../../scripts/docs/permission-run.ts";
import { unexplained } from "../../scripts/docs/permissions-page.ts";

it(
  "each grant is needed by a call of a whole run, or has its reason, and nothing is denied",
  { timeout: 240_000 },
  async () => {
    const { unused, checks } = await findUnusedGrants();

    expect(checks).toBeGreaterThan(150);
    expect(unexplained(unused)).toEqual([]);
  },
);
