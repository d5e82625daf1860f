import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { createOwnIngest } from "../../core/flow/ingest/ingest-event.ts";
import { registerDevice } from "../../core/flow/admin/register-device.ts";
import { readPhoneOwners, addPhoneOwner } from "../../core/store/people/phones.ts";
import { putItem } from "../../core/store/table.ts";
import { listInvitations, saveInvitation } from "../../core/store/people/invitations.ts";
import { listMembers } from "../../core/store/people/read-members.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { closeMonth, listClosedMonths } from "../../core/store/schedules/closed-months.ts";
import { addCover, listCovers } from "../../core/store/schedules/covers.ts";
import { erasePerson, exportPerson } from "../../operator/erasure.ts";
import { aCover } from "../core/domain/support.ts";
import { addContact } from "../faults/fixtures.ts";
import { toItemText } from "../support/canaries.ts";
import { createTestClock } from "../world/clock.ts";
import { createTestQueues } from "../world/queues.ts";
import { startTable } from "../world/table.ts";
import { aStageWithPool } from "./fake-pool.ts";

const ann = { userId: "usr_a0000000000000000000000000000001", name: "Ann Owner", email: "ann@acme.example" };
const bob = { userId: "usr_b0000000000000000000000000000002", name: "Bob Canary", email: "bob@acme.example" };
const { deps: clock } = createTestClock();
const stand = await startTable();
let workspace: WorkspaceId = "ws_";
const createDeps = () => ({ ...clock, table: { ...stand.table, author: createOperatorAuthor("req_1") } });
/** Ann's workspace, of which Bob is a member with a phone. */
beforeEach(async () => {
  Object.assign(stand, await startTable());
  workspace = (await createWorkspace(createDeps(), { name: "Acme", creator: ann })).id;
  await saveMember(createDeps(), workspace, { ...bob, role: "viewer" });
  await registerDevice(createDeps(), workspace, bob.userId, {
    token: "canary-token",
    platform: "ios",
    name: "Bob's phone",
  });
});
const pool = aStageWithPool(stand, clock);
beforeEach(() => {
  pool.add(ann.email, ann.name, "CONFIRMED", ann.userId);
  pool.add(bob.email, bob.name, "CONFIRMED", bob.userId);
});
const readTable = async () => (await stand.listItems()).map(toItemText).join("\n");

it.each([
  ["without a person", {}, "Set either --email or --user."],
  ["with both an address and a user id", { email: bob.email, user: bob.userId }, "Set either --email or --user."],
  ["with a name instead of a user id", { user: "bob" }, "--user must be a user id: usr_ and the characters after it."],
  [
    "with an unknown address",
    { email: "eve@acme.example" },
    "The user pool has nobody with the address eve@acme.example.",
  ],
  ["with --dry-run=no", { email: ann.email, "dry-run": "no" }, "--dry-run must be yes, or left out."],
])("the operator's command erase-person is refused %s", async (_, options, message) => {
  await expect(pool.run(erasePerson, options)).rejects.toThrow(message);
  expect([pool.disabled, pool.users.size]).toEqual([[], 2]);
});

describe("an export of a person's data", () => {
  it.each([
    ["their address", { email: bob.email }],
    ["their user id", { user: bob.userId }],
  ])("who is named by %s has that person's items and nobody else's", async (_, options) => {
    const exported = (await pool.run(exportPerson, options)) as { items: object[] };

    expect(exported).toMatchObject({ userIds: [bob.userId], accounts: [{ userId: bob.userId, name: bob.name }] });
    const text = JSON.stringify(exported.items);
    expect(["Bob Canary", "canary-token", "Bob's phone"].filter((one) => !text.includes(one))).toEqual([]);
    expect(text).not.toContain(ann.email);
  });
});

describe("the erasure of a person", () => {
  it("withdraws the person's covers, and keeps the hours of a closed month without the name", async () => {
    await addCover(createDeps(), workspace, aCover({ userId: bob.userId, createdBy: null }));
    await addCover(createDeps(), workspace, aCover({ userId: ann.userId, createdBy: null }));
    const shifts: [number, number, string[]][] = [[0, 3_600_000, [bob.userId]]];
    const group = { groupId: "grp_1", name: "Ops", timeZone: "UTC", holidays: [], restHours: 11, shifts, covers: [] };
    const recorded = { people: [{ userId: bob.userId, name: bob.name }], pay: null, groups: [group], pages: [] };
    await closeMonth(createDeps(), workspace, "2026-02", { id: "req_1", digest: "", recorded });

    await pool.run(erasePerson, { email: bob.email });

    expect((await listCovers(createDeps(), workspace)).map(({ userId }) => userId)).toEqual([ann.userId]);
    const [month] = await listClosedMonths(createDeps(), workspace, { from: "2026-02", to: "2026-02" });
    expect(month?.recorded.groups).toEqual([group]);
    expect(month?.recorded.people.map(({ name }) => name)).not.toContain(bob.name);
  });

  it("leaves nothing of the person's accounts, including invitations under another spelling of the address", async () => {
    const other = (await createWorkspace(createDeps(), { name: "Other", creator: ann })).id;
    await saveInvitation(createDeps(), other, { email: "BOB@acme.example", role: "viewer", groupIds: [] });
    const second = { ...bob, userId: "usr_b0000000000000000000000000000003" };
    Object.assign(pool.add("bob@sso.example", bob.name, "CONFIRMED", second.userId), { email: bob.email });
    await saveMember(createDeps(), workspace, second);

    const done = await pool.run(erasePerson, { email: bob.email });

    expect(done).toMatchObject({
      userIds: [bob.userId, second.userId],
      left: [workspace, workspace],
      looks: 2,
      deleted: 1,
      missed: 0,
      runAgainAfter: "2026-11-21T13:07:23.456Z",
    });
    const text = await readTable();
    expect(["Canary", "bob@acme", "BOB@acme", "canary-token", "Bob's"].filter((one) => text.includes(one))).toEqual([]);
    expect(await listInvitations(createDeps(), other)).toEqual([]);
    expect((await listMembers(stand, workspace)).map(({ userId }) => userId)).toEqual([ann.userId]);
    expect([pool.disabled, [...pool.users.keys()]]).toEqual([[bob.email, "bob@sso.example"], [ann.email]]);
  });

  it("keeps a phone number that another person also has", async () => {
    const phone = "+4915199887766";
    for (const { userId } of [ann, bob]) await addPhoneOwner(createDeps(), phone, { ws: workspace, userId });

    await pool.run(erasePerson, { email: bob.email });

    expect(await readPhoneOwners(createDeps(), phone)).toContainEqual({ ws: workspace, userId: ann.userId });
  });

  it("removes every name of the person from the texts that the service wrote itself", async () => {
    pool.add(bob.email, "Robert Account", "CONFIRMED", bob.userId);
    await addContact(createDeps(), workspace, bob.userId, { email: "private@home.example" });
    await addContact(createDeps(), workspace, bob.userId, { phone: "+4915199887766", ways: ["sms"] });
    const words = [bob.name, "Robert Account", "Bob's phone", bob.email, "private@home.example", "+4915199887766"];
    await createOwnIngest({ ...createDeps(), queues: { events: createTestQueues(clock.now).queues.events.queue } })({
      workspaceId: workspace,
      once: "once",
      content: { eventKey: "service.x", title: `Of ${words.join(", ")}.`, body: "-", priority: "LOW", notice: {} },
    });
    const readNotice = async () => (await readTable()).match(/Of [^"]*\./)?.[0];
    expect(await readNotice()).toBe(`Of ${words.join(", ")}.`);

    await pool.run(erasePerson, { email: bob.email });

    expect(await readNotice()).toBe(`Of ${words.map(() => "(erased)").join(", ")}.`);
  });

  it("needs only the user id after the account is deleted", async () => {
    pool.users.delete(bob.email);

    expect(await pool.run(erasePerson, { user: bob.userId })).toMatchObject({ left: [workspace], missed: 0 });
    expect((await readTable()).includes("Canary")).toBe(false);
    expect(pool.disabled).toEqual([]);
  });

  it("is only simulated in a dry run, which counts the data to erase", async () => {
    const before = await readTable();

    expect(await pool.run(erasePerson, { email: bob.email, "dry-run": "yes" })).toMatchObject({
      userIds: [bob.userId],
      dryRun: true,
      lastOwnerOf: [],
      deleted: expect.any(Number) as number,
    });
    expect(await pool.run(erasePerson, { email: ann.email, "dry-run": "yes" })).toMatchObject({
      lastOwnerOf: [workspace],
    });
    expect([await readTable(), pool.disabled, pool.users.size]).toEqual([before, [], 2]);
  });

  it("is refused for the only owner of a workspace, and possible for one of two owners", async () => {
    const before = await readTable();
    await expect(pool.run(erasePerson, { email: ann.email })).rejects.toThrow(
      `Nothing was done: the person is the only owner of ${workspace}. Make somebody else an owner, or delete the workspace, and run the command again.`,
    );
    expect([await readTable(), pool.disabled]).toEqual([before, []]);

    await saveMember(createDeps(), workspace, { ...bob, role: "owner" });
    expect(await pool.run(erasePerson, { email: ann.email })).toMatchObject({ left: [workspace] });
  });

  it("is refused if all owners of a workspace are accounts of the person", async () => {
    const second = { ...ann, userId: "usr_c0000000000000000000000000000003" };
    Object.assign(pool.add("ann@sso.example", ann.name, "CONFIRMED", second.userId), { email: ann.email });
    await saveMember(createDeps(), workspace, { ...second, role: "owner" });

    await expect(pool.run(erasePerson, { email: ann.email })).rejects.toThrow("Nothing was done");
    expect(pool.disabled).toEqual([]);
  });

  it("stops without deleting the account if the workspace's only other owner is demoted meanwhile", async () => {
    await saveMember(createDeps(), workspace, { ...bob, role: "owner" });
    let isDemoted = false;

    const erased = pool.run(erasePerson, { email: ann.email }, async (send) => {
      if (pool.disabled.length > 0 && !isDemoted) {
        isDemoted = true;
        await saveMember(createDeps(), workspace, { ...bob, role: "viewer" });
      }
      return send();
    });

    await expect(erased).rejects.toThrow(
      `${workspace} has no other member, or no other owner. Make somebody else an owner, or delete the workspace, and run the command again.`,
    );
    expect([isDemoted, pool.users.has(ann.email)]).toEqual([true, true]);
  });

  it("gives up after ten scans if each scan finds more data to erase, and reports that", async () => {
    let calls = 0;
    const erased = pool.run(erasePerson, { email: bob.email }, async (send) => {
      calls += 1;
      const key = { pk: `WS#${workspace}#NOTES`, sk: `note_${calls}` };
      await putItem(createDeps(), key, { by: { id: bob.userId, name: bob.name } });
      return send();
    });

    await expect(erased).rejects.toThrow(
      "After 10 scans of the table there is still data to erase. Run the command again.",
    );
    expect(pool.users.has(bob.email)).toBe(true);
  });
});
