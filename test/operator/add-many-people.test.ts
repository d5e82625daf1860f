import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LimitExceededException } from "@aws-sdk/client-cognito-identity-provider";
import { expect, it } from "vitest";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { createGroup, listGroupMembers } from "../../core/store/people/groups.ts";
import { listMembers } from "../../core/store/people/read-members.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { addPeople } from "../../operator/add-people.ts";
import { createTestClock } from "../world/clock.ts";
import { useTable } from "../world/use-table.ts";
import { aStageWithPool } from "./fake-pool.ts";

const stand = await useTable();
const { deps: clock } = createTestClock();
const pool = aStageWithPool(stand, clock);
const deps = { ...clock, table: { ...stand.table, author: createOperatorAuthor("req_1") } };

it("adding three hundred people survives several interruptions, emails nobody twice, and can be repeated", async () => {
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  const { id: workspace } = await createWorkspace(deps, { name: "Acme", creator });
  const { id: groupId } = await createGroup(deps, workspace, "Operations");
  const dir = mkdtempSync(join(tmpdir(), "people-"));
  const file = join(dir, "people.csv");
  writeFileSync(
    file,
    `email,name,role,groups
${Array.from({ length: 300 }, (_, n) => `p${n}@acme.example,Person ${n},${n % 3 === 0 ? "viewer" : "responder"},${n % 2 === 0 ? "Operations" : ""}`).join("\n")}
`,
  );
  const runAddPeople = () => pool.run(addPeople, { workspace, file });

  for (const fatal of [101, 202]) {
    pool.beforeEachCall((creation) => {
      if (creation === fatal) throw new LimitExceededException({ message: "Exceeded daily limit", $metadata: {} });
    });
    await expect(runAddPeople()).rejects.toThrow(
      /^Line \d+, p\d+@acme\.example: Exceeded daily limit\nThe earlier lines are done\. Run the same command again/,
    );
  }
  pool.beforeEachCall(() => {});
  expect(await runAddPeople()).toMatchObject({ people: 300, asTheyAre: 200, accounts: 100 });

  expect(await listMembers(stand, workspace)).toHaveLength(301);
  expect(await listGroupMembers(stand, workspace, groupId)).toHaveLength(150);
  expect([pool.mailed.length, new Set(pool.mailed).size]).toEqual([300, 300]);

  const before = pool.creations();
  expect(await runAddPeople()).toMatchObject({ asTheyAre: 300, accounts: 0, members: 0, changed: 0, joinGroups: 0 });
  expect(pool.creations()).toBe(before);
  rmSync(dir, { recursive: true });
});
