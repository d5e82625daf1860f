import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { bindAuthor } from "../../../core/deps.ts";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { listAudit } from "../../../core/flow/read/list-audit.ts";
import { verifyTrail } from "../../../core/flow/read/verify-trail.ts";
import { createGroup, deleteGroup, updateGroup } from "../../../core/store/people/groups.ts";
import { saveMember } from "../../../core/store/people/members.ts";
import { listEntries } from "../../../core/store/configuration/audit-trail.ts";
import { trailKey } from "../../../core/store/keys.ts";
import { createWebhook } from "../../../core/store/delivery/webhooks.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const DAY_MS = 24 * 3_600_000;
const { deps: clock, advance } = createTestClock();
const stand = await useTable();
const deps = { ...clock, table: stand.table };
const asDora = bindAuthor(deps, { userId: "usr_dora", via: "console", requestId: "req_1" });

let workspaces = 0;
const aWorkspace = async () => {
  workspaces += 1;
  const id = `ws_trail${workspaces}` as const;
  await createWorkspace(deps, {
    id,
    name: "Acme",
    creator: { userId: "usr_dora", name: "Dora", email: "d@acme.example" },
  });
  return id;
};
const all = { limit: 50, after: undefined };
const describeEntries = async (ws: WorkspaceId) =>
  (await listAudit(deps, ws, {}, all)).items.map(
    ({ actor, action, target }) => `${actor?.name ?? "operator"} ${action} ${target.kind} ${target.name}`,
  );
const everything = { from: 0, to: 9_999_999_999_999 };

it("an audit entry says who changed what, with the fields that differ, and is listed newest first", async () => {
  const ws = await aWorkspace();
  const { id } = await createGroup(asDora, ws, "Ops");
  await updateGroup(asDora, ws, id, { name: "Operations" });
  await deleteGroup(asDora, ws, id);

  expect(await describeEntries(ws)).toEqual([
    "Dora deleted group Operations",
    "Dora updated group Operations",
    "Dora created group Ops",
    "operator created member Dora",
    "operator created workspace Acme",
  ]);
  const { items } = await listAudit(deps, ws, { action: "updated" }, all);
  expect(items).toMatchObject([
    {
      via: "console",
      requestId: "req_1",
      actor: { id: "usr_dora" },
      target: { kind: "group", id },
      before: { name: "Ops" },
      after: { name: "Operations" },
    },
  ]);
});

it("a change without an effect creates no audit entry", async () => {
  const ws = await aWorkspace();
  const { id } = await createGroup(asDora, ws, "Ops");
  const before = await describeEntries(ws);
  await updateGroup(asDora, ws, id, { name: "Ops" });
  await deleteGroup(asDora, ws, "grp_none");
  await saveMember(asDora, ws, { userId: "usr_dora", name: "Dora", email: "d@acme.example" });

  expect(await describeEntries(ws)).toEqual(before);
});

it("twenty changes at the same moment are all made, and no audit entry is missing", async () => {
  const ws = await aWorkspace();
  // The clock ticks, because entries of the same millisecond would have equal keys.
  let ticks = 0;
  const ticking = { ...asDora, now: () => clock.now() + (ticks += 1) };
  await Promise.all(Array.from({ length: 20 }, (_, index) => createGroup(ticking, ws, `Group ${index}`)));

  const entries = await listEntries(deps, ws, everything);
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 22 }, (_, index) => 22 - index));
  expect(await verifyTrail(deps, ws)).toMatchObject({ entries: 22, faults: [] });
});

it("an audit entry sorts after the previous one, even if its writer's clock is an hour behind", async () => {
  const ws = await aWorkspace();
  await createGroup(asDora, ws, "First");
  await createGroup({ ...asDora, now: () => clock.now() - 3_600_000 }, ws, "Second");

  expect((await describeEntries(ws)).slice(0, 2)).toEqual(["Dora created group Second", "Dora created group First"]);
  expect(await verifyTrail(deps, ws)).toMatchObject({ entries: 4, faults: [] });
});

it("no audit entry contains a person's name, an address or a secret", async () => {
  const ws = await aWorkspace();
  await saveMember(asDora, ws, { userId: "usr_lena", name: "Lena", email: "lena@acme.example" });
  await saveMember(asDora, ws, { userId: "usr_lena", name: "Lena Lund", email: "lena@acme.example" });
  await createWebhook(asDora, ws, {
    name: "Chat",
    url: "https://hooks.example/T0/B0/secret",
    types: ["event.opened"],
    eventKeys: null,
    paused: false,
  });

  const text = JSON.stringify(await listEntries(deps, ws, everything));
  expect(text).not.toMatch(/Lena|lena@|T0|Dora|d@acme/);
  expect(text).toContain('"host":"hooks.example"');
  expect((await listAudit(deps, ws, { target: "usr_lena" }, all)).items).toMatchObject([
    { action: "updated", target: { name: "Lena Lund" }, before: {}, after: { given: ["name"] } },
    { action: "created", target: { name: "Lena Lund" } },
  ]);
});

it("audit entries are shown for 400 days, and not after that, even while they are stored", async () => {
  const ws = await aWorkspace();
  const [first] = await listEntries(deps, ws, everything);
  advance(400 * DAY_MS);
  await createGroup(asDora, ws, "Late");
  expect(await describeEntries(ws)).toHaveLength(3);

  advance(1);
  expect(await describeEntries(ws)).toEqual(["Dora created group Late"]);
  const stored = (await stand.listItems()).find(({ id }) => id === first?.id);
  expect(Number(stored?.["ttl"]) * 1000).toBeGreaterThanOrEqual((first?.at ?? 0) + 400 * DAY_MS);
  expect(await verifyTrail(deps, ws)).toMatchObject({ entries: 1, faults: [] });
});

it("a page of the audit trail continues where the previous one ended, with any filter", async () => {
  const ws = await aWorkspace();
  for (let index = 0; index < 5; index += 1) await createGroup(asDora, ws, `Group ${index}`);

  const names: string[] = [];
  let after: Parameters<typeof listAudit>[3]["after"];
  do {
    const page = await listAudit(deps, ws, { target: "group", actor: "usr_dora" }, { limit: 2, after });
    names.push(...page.items.map(({ target }) => target.name));
    after = page.next;
  } while (after !== undefined);

  expect(names).toEqual(["Group 4", "Group 3", "Group 2", "Group 1", "Group 0"]);
});

it("an entry of the audit trail is found behind a thousand entries that do not match the filter", async () => {
  const ws = await aWorkspace();
  await createGroup(asDora, ws, "Last");
  const newest = (await stand.listItems()).findLast(({ pk }) => pk === `WS#${ws}#TRAIL`)!;
  const first = Number(newest["seq"]) + 1;
  const numbers = Array.from({ length: 1_000 }, (_, nr) => first + nr);
  await stand.fill(numbers.map((seq) => ({ ...newest, ...trailKey(ws, Number(newest["at"]), seq), seq })));

  const { items, next } = await listAudit(deps, ws, { target: "member" }, all);
  const rest = await listAudit(deps, ws, { target: "member" }, { limit: 50, after: next });

  expect([items.length, rest.items.length]).toEqual([0, 1]);
});

it("a full page of the audit trail is the last page if nothing older matches the filter", async () => {
  const ws = await aWorkspace();
  for (const name of ["One", "Two"]) await createGroup(asDora, ws, name);
  const readNext = async (limit: number) =>
    (await listAudit(deps, ws, { target: "group" }, { limit, after: undefined })).next;

  expect(await readNext(1)).toBeDefined();
  expect(await readNext(2)).toBeUndefined();
});

it.each([
  ["missing", 4, /entries 4 to 4/, true],
  ["missing at the beginning", 1, /entries 1 to 1/, true],
  ["missing at the end", 5, /entries 5 to 5/, true],
  ["changed", 4, /Entry 4 was changed: its content does not match its digest/, false],
])("the check of the audit trail reports an entry that is %s", async (_, number, fault, isMissing) => {
  const ws = await aWorkspace();
  for (const name of ["One", "Two", "Three"]) await createGroup(asDora, ws, name);
  const entry = (await stand.listItems()).find(({ pk, seq }) => pk === `WS#${ws}#TRAIL` && seq === number);
  const Key = { pk: entry?.["pk"], sk: entry?.["sk"] };
  const target = { TableName: stand.table.name, Key };
  await stand.aside.client.send(
    isMissing
      ? new DeleteCommand(target)
      : new UpdateCommand({
          ...target,
          UpdateExpression: "SET userId = :other",
          ExpressionAttributeValues: { ":other": "usr_mallory" },
        }),
  );

  expect((await verifyTrail(deps, ws)).faults.join()).toMatch(fault);
});
