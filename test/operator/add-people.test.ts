import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidParameterException, LimitExceededException } from "@aws-sdk/client-cognito-identity-provider";
import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { toRole } from "../../core/domain/people/member.ts";
import { createGroup, listGroupMembers } from "../../core/store/people/groups.ts";
import { listInvitations } from "../../core/store/people/invitations.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { listMembers, readOwners } from "../../core/store/people/read-members.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { addPeople } from "../../operator/add-people.ts";
import { sendInvitation } from "../../operator/send-invitation.ts";
import { createTestClock } from "../world/clock.ts";
import { useTable } from "../world/use-table.ts";
import { aStageWithPool } from "./fake-pool.ts";

const stand = await useTable();
const { deps: clock, advance } = createTestClock();
const pool = aStageWithPool(stand, clock);
const deps = { ...clock, table: { ...stand.table, author: createOperatorAuthor("req_1") } };

let workspace: WorkspaceId = "ws_";
let groups: Record<"Operations" | "Payments", string>;
beforeEach(async () => {
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  workspace = (await createWorkspace(deps, { name: "Acme", creator })).id;
  groups = {
    Operations: (await createGroup(deps, workspace, "Operations")).id,
    Payments: (await createGroup(deps, workspace, "Payments")).id,
  };
});

const runAddPeople = async (text: string | Uint8Array, options: Record<string, string> = {}) => {
  const dir = mkdtempSync(join(tmpdir(), "people-"));
  const file = join(dir, "people.csv");
  writeFileSync(file, text);
  try {
    return await pool.run(addPeople, { workspace, file, ...options });
  } finally {
    rmSync(dir, { recursive: true });
  }
};
const readMembers = async () => {
  const owners = await readOwners(stand, workspace);
  const all = await listMembers(stand, workspace);
  return all.filter(({ userId }) => userId !== "usr_b").map((one) => [one.name, one.email, toRole(one, owners)]);
};
const listGroupUserIds = async (name: keyof typeof groups) =>
  (await listGroupMembers(stand, workspace, groups[name])).map(({ userId }) => userId);

describe("a file of people to add", () => {
  it("creates accounts, members with roles and members of groups", async () => {
    const counts = await runAddPeople(`email,name,role,groups
ann@acme.example,"Ann ""A"", Sr.",responder,Operations|Payments
ben@acme.example,Ben,,Operations
`);

    expect(counts).toEqual({
      workspaceId: workspace,
      people: 2,
      asTheyAre: 0,
      accounts: 2,
      members: 2,
      changed: 0,
      joinGroups: 2,
      invitations: 0,
    });
    expect(await readMembers()).toEqual([
      ['Ann "A", Sr.', "ann@acme.example", "responder"],
      ["Ben", "ben@acme.example", "manager"],
    ]);
    expect([(await listGroupUserIds("Operations")).length, (await listGroupUserIds("Payments")).length]).toEqual([
      2, 1,
    ]);
    expect(pool.mailed).toEqual(["ann@acme.example", "ben@acme.example"]);
  });

  it("changes a role and a name, keeps a role that is not given, and removes nobody from a group", async () => {
    await runAddPeople(
      "email,name,role,groups\nann@acme.example,Ann,responder,Operations\nben@acme.example,Ben,viewer,\n",
    );

    const counts = await runAddPeople("email,name,role\nANN@acme.example,Anna,\nben@acme.example,Ben,manager\n");

    expect(counts).toMatchObject({ people: 2, accounts: 0, members: 0, changed: 2, joinGroups: 0 });
    expect(await readMembers()).toEqual([
      ["Anna", "ANN@acme.example", "responder"],
      ["Ben", "ben@acme.example", "manager"],
    ]);
    expect(await listGroupUserIds("Operations")).toHaveLength(1);
  });

  it("changes the stored address of a member if the account's address has changed", async () => {
    const text = "email,name\nann@acme.example,Ann\n";
    await runAddPeople(text);
    const ann = (await listMembers(stand, workspace)).find(({ name }) => name === "Ann")!;
    await saveMember(deps, workspace, { userId: ann.userId, name: "Ann", email: "old@acme.example" });

    expect(await runAddPeople(text)).toMatchObject({ people: 1, accounts: 0, members: 0, changed: 1 });
    expect(await readMembers()).toEqual([["Ann", "ann@acme.example", "manager"]]);
  });

  it("changes nothing for people who match the file, and adds other people to the groups from which they are missing", async () => {
    const first = "email,name,role,groups\nann@acme.example,Ann,viewer,Operations\nben@acme.example,Ben,,\n";
    await runAddPeople(first);

    for (const text of [first, first.replace("ann@", "ANN@"), first.replace("Ben,,", "Ben,manager,")])
      expect(await runAddPeople(text, { "dry-run": "yes" })).toMatchObject({ asTheyAre: 2, changed: 0, joinGroups: 0 });
    expect(
      await runAddPeople(
        "email,name,role,groups\nann@acme.example,Ann,,Operations|Payments\nben@acme.example,Ben,,Payments\n",
      ),
    ).toMatchObject({ asTheyAre: 0, members: 0, changed: 0, joinGroups: 2 });
    expect([(await listGroupUserIds("Operations")).length, (await listGroupUserIds("Payments")).length]).toEqual([
      1, 2,
    ]);
  });

  it("is only checked in a dry run", async () => {
    expect(
      await runAddPeople("email,name,groups\nann@acme.example,Ann,Payments\n", { "dry-run": "yes" }),
    ).toMatchObject({
      dryRun: true,
      accounts: 1,
      members: 1,
      joinGroups: 1,
    });

    expect([await readMembers(), pool.users.size, await listGroupUserIds("Payments")]).toEqual([[], 0, []]);
  });

  it("causes no emails if the operator asks for none", async () => {
    await runAddPeople("email,name\nann@acme.example,Ann\n", { quietly: "yes" });

    expect([pool.users.size, pool.mailed]).toEqual([1, []]);
  });
});

describe("a fault in a file of people to add", () => {
  it("is reported line by line, and nothing is changed", async () => {
    const wrong = runAddPeople(`email,name,role,groups
ann@acme.example,Ann,,Operation
ben,Ben,boss,
cat@acme.example,,,
"dan@acme.example","Dan
D",,
ANN@acme.example,Ann,,
`);

    await expect(wrong).rejects.toThrow(
      [
        'Line 2: the workspace has no group "Operation". Did you mean Operations?',
        "Line 3: email must be an email address, such as alice@acme.example.",
        "Line 3: role must be one of viewer, responder, manager, owner, or empty.",
        "Line 4: name must not be empty.",
        "Line 7: ANN@acme.example is already in line 2.",
        "Nothing was done.",
      ].join("\n"),
    );
    expect([pool.users.size, await readMembers()]).toEqual([0, []]);
  });

  it("is reported for an encoding other than UTF-8", async () => {
    await expect(runAddPeople(Uint8Array.from([0x65, 0xe4, 0x0a]))).rejects.toThrow(
      'is not UTF-8: save it as "CSV UTF-8".',
    );
  });

  it("that concerns one person does not stop the work on the other people", async () => {
    pool.beforeEachCall((creation) => {
      if (creation === 1) throw new InvalidParameterException({ message: "Invalid address", $metadata: {} });
    });

    await expect(runAddPeople("email,name\nann@acme,Ann\nben@acme.example,Ben\n")).rejects.toThrow(
      "Line 2, ann@acme: Invalid address\n1 of 2 people could not be added.",
    );
    expect((await readMembers()).map(([name]) => name)).toEqual(["Ben"]);
  });
});

it("a failure that concerns more than one person ends add-people, and the next run continues where that run ended", async () => {
  const text = "email,name\nann@acme.example,Ann\nben@acme.example,Ben\ncat@acme.example,Cat\n";
  pool.beforeEachCall((creation) => {
    if (creation === 2) throw new LimitExceededException({ message: "Exceeded daily limit", $metadata: {} });
  });

  await expect(runAddPeople(text)).rejects.toThrow(
    /^Line 3, ben@acme\.example: Exceeded daily limit\nThe earlier lines are done\. Run the same command again to continue\.$/,
  );
  expect((await readMembers()).map(([name]) => name)).toEqual(["Ann"]);
  expect(await runAddPeople(text)).toMatchObject({ asTheyAre: 1, accounts: 2, members: 2 });
  await expect(pool.run(addPeople, { workspace, file: "/nowhere/people.csv" })).rejects.toThrow("ENOENT");
});

describe("people of a stage with accounts at an identity provider", () => {
  it("are invited by email address, once, and no account is created", async () => {
    const text = "email,role,groups\nann@acme.example,viewer,Payments\nbob@acme.example,,\n";

    expect(await runAddPeople(text, { as: "invitations" })).toMatchObject({ people: 2, invitations: 1, asTheyAre: 1 });

    expect(await listInvitations(deps, workspace)).toMatchObject([
      { email: "ann@acme.example", role: "viewer", groupIds: [groups.Payments], createdBy: null },
    ]);
    expect(pool.users.size).toBe(0);
    expect(await runAddPeople(text, { as: "invitations" })).toMatchObject({ invitations: 0, asTheyAre: 2 });
    for (const changed of ["viewer,Operations", "responder,Payments", "viewer,"])
      expect(
        await runAddPeople(`email,role,groups\nann@acme.example,${changed}\n`, { as: "invitations", "dry-run": "yes" }),
      ).toMatchObject({ invitations: 1 });
  });
});

describe("the user pool's invitation email", () => {
  it("is sent again to a person who has not signed in yet, and to nobody else", async () => {
    pool.add("ann@acme.example");
    pool.add("ben@acme.example", "Ben", "CONFIRMED");

    expect(await pool.run(sendInvitation, { email: "ann@acme.example" })).toEqual({ mailed: ["ann@acme.example"] });
    await expect(pool.run(sendInvitation, { email: "ben@acme.example" })).rejects.toThrow("has signed in before");
    await expect(pool.run(sendInvitation, { email: "cat@acme.example" })).rejects.toThrow(
      "has nobody with the address",
    );
    await expect(pool.run(sendInvitation, {})).rejects.toThrow("Set either --email or --workspace.");
  });

  it("is sent to all enabled members who have not signed in, longest waiting first; an interrupted run can continue", async () => {
    const text = ["ann", "ben", "cat", "eve"].map((name) => `${name}@acme.example,${name}\n`).join("");
    await runAddPeople(`email,name\n${text}`, { quietly: "yes" });
    pool.users.get("ben@acme.example")!.status = "CONFIRMED";
    pool.disabled.push("eve@acme.example");
    pool.add("dan@elsewhere.example");
    advance(1000);
    const first = pool.creations() + 1;
    pool.beforeEachCall((creation) => {
      if (creation === first + 1) throw new LimitExceededException({ message: "Exceeded daily limit", $metadata: {} });
    });

    await expect(pool.run(sendInvitation, { workspace })).rejects.toThrow(
      "1 of 2 people were mailed. Run the command again",
    );
    advance(1000);
    expect(await pool.run(sendInvitation, { workspace })).toEqual({ mailed: ["cat@acme.example", "ann@acme.example"] });
  });
});
