import { expect, it } from "vitest";
import { findUnusedGrants } from "../../scripts/docs/permission-run.ts";
import { findUnexplainedGrants } from "../../scripts/docs/permissions-page.ts";

it(
  "the API works with the service's own policies; each granted permission is used by a call or has a documented reason",
  { timeout: 480_000 },
  async () => {
    const { unused, checks, failed } = await findUnusedGrants();

    expect(checks).toBeGreaterThan(150);
    expect(failed).toEqual([]);
    expect(findUnexplainedGrants(unused)).toEqual([]);
  },
);
