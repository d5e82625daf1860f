import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { bindAuthor } from "../../core/deps.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { createRule } from "../../core/store/rules/rules.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

const { app, mine, ask } = await startFilled();
type Thing = { id: string; createdBy: unknown; updatedBy: unknown; updatedAt: string };

const targets = [{ type: "group", groupId: mine.groupId }];
const things = [
  ["rule", "/routing-rules", { name: "Disks", eventKey: "disk.*", targets }],
  ["policy", "/escalation-policies", { name: "Soon", repeat: 0, steps: [{ delayMinutes: 5, targets }] }],
  ["silence", "/silences", { name: "Upgrade", eventKey: "disk.*", endsAt: "2099-01-01T00:00:00Z" }],
  ["heartbeat", "/heartbeats", { name: "Backup", everySeconds: 3600 }],
] as const;

const owner = { id: alice, name: "Owner" };
const bobNamed = (name: string) => ({ id: bob, name });
const renameBob = (name: string) => ask("POST", "/members", { userId: bob, name, email: "bob@acme.example" });

describe.each(things)("the authors that a %s shows", (_, path, body) => {
  it("are its creator and the author of its last change, in every answer", async () => {
    const { body: made } = await ask<Thing>("POST", path, body);
    expect(made).toMatchObject({ createdBy: owner, updatedBy: owner });
    app.advance(1_000);
    const { body: changed } = await ask<Thing>("PATCH", `${path}/${made.id}`, { name: "Another name" }, bob);
    const { body: read } = await ask<Thing>("GET", `${path}/${made.id}`);
    const { body: list } = await ask<Thing[]>("GET", path);

    const authors = { createdBy: owner, updatedBy: bobNamed("Bob") };
    expect(changed).toMatchObject(authors);
    expect(read).toMatchObject(authors);
    expect(list.find(({ id }) => id === made.id)).toMatchObject(authors);
    expect(changed.updatedAt > made.updatedAt).toBe(true);
  });

  it("are accepted in an update, even if one of them was renamed since the item was read", async () => {
    const { body: made } = await ask<Thing>("POST", path, body, bob);
    const { body: read } = await ask<Thing>("GET", `${path}/${made.id}`);
    await renameBob("Robert");
    const { status, body: sent } = await ask<Thing>("PATCH", `${path}/${made.id}`, read);
    await renameBob("Bob");

    expect(status).toBe(200);
    expect(sent).toMatchObject({ createdBy: bobNamed("Robert"), updatedBy: bobNamed("Robert") });
  });
});

it("a schedule names the author of the group's first schedule and the author of the current schedule", async () => {
  const path = `/groups/${mine.groupId}/on-call`;
  const layers = [{ start: "2026-11-02T09:00", every: 1, unit: "week", participants: [alice] }];
  const putSchedule = async (as: string, timeZone: string) =>
    (await ask<Thing>("PUT", path, { timeZone, layers }, as)).body;
  const authors = { createdBy: owner, updatedBy: bobNamed("Bob") };

  expect(await putSchedule(bob, "Europe/Paris")).toMatchObject(authors);
  expect((await ask("GET", path)).body).toMatchObject(authors);
});

it("an item that the operator created shows no author, and an author who has left is shown without a name", async () => {
  const rule = v.parse(RuleInput, { name: "By hand", eventKey: "disk.*", targets });
  const { id } = await createRule(bindAuthor(app.deps, createOperatorAuthor("r")), mine.workspaceId, rule);
  const readRule = async () => (await ask<Thing>("GET", `/routing-rules/${id}`)).body;
  expect(await readRule()).toMatchObject({ createdBy: null, updatedBy: null });
  await ask("PATCH", `/routing-rules/${id}`, { enabled: false }, bob);
  await ask("DELETE", `/members/${bob}`);

  expect(await readRule()).toMatchObject({ createdBy: null, updatedBy: bobNamed("") });
});
