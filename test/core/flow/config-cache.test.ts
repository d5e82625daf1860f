import * as v from "valibot";
import { expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { noSchedule } from "../../../core/domain/on-call/views.ts";
import { createEmptyRules } from "../../../core/domain/people/notification-rules.ts";
import { RuleInput } from "../../../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { createConfigCache } from "../../../core/flow/config-cache.ts";
import { readControl } from "../../../core/store/events/control.ts";
import { addGroupMember, deleteGroup, removeGroupMember, updateGroup } from "../../../core/store/people/groups.ts";
import { removeMember, saveMember, setRole } from "../../../core/store/people/members.ts";
import { putNotificationRules, setUrgentFloor } from "../../../core/store/people/notification-rules.ts";
import { createRule, deleteRule, updateRule } from "../../../core/store/rules/rules.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { addCover, takeCover } from "../../../core/store/schedules/covers.ts";
import { addOverride, deleteOverride } from "../../../core/store/schedules/on-call.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { useWorld } from "../../world/use-world.ts";
import { aCover } from "../domain/support.ts";

const plan = { monthlyEvents: 1000, eventsPerMinute: 100, burst: 100, retentionDays: 400 };
const creator = { userId: "usr_owner", name: "Owner", email: "owner@acme.example" };

it("the cached rules of one workspace do not evict the rules of other workspaces, however large the cached rules are", async () => {
  const loaded: string[] = [];
  const { deps } = await useWorld({
    beforeCall: async ({ constructor, input }) => {
      const pk = input.ExpressionAttributeValues?.[":pk"];
      if (constructor.name === "QueryCommand" && String(pk).endsWith("#RULES")) loaded.push(String(pk));
    },
  });
  const createWithRules = async (id: WorkspaceId, rules: number) => {
    await createWorkspace(deps, { id, name: id, plan, creator });
    const input = { name: "A", eventKey: "*", targets: [{ type: "group", groupId: "grp_1" }] };
    for (let count = 0; count < rules; count += 1) await createRule(deps, id, v.parse(RuleInput, input));
  };
  await createWithRules("ws_small1", 1);
  await createWithRules("ws_great", 20);
  await createWithRules("ws_small2", 1);
  // Each rule takes at least 1,500 bytes, so the large workspace alone exceeds the cache.
  const config = createConfigCache(deps, 30_000);
  const readRules = (ws: WorkspaceId) => config.rules(ws, 0);
  loaded.length = 0;

  for (const _ of [1, 2, 3]) for (const ws of ["ws_small1", "ws_great", "ws_small2"] as const) await readRules(ws);

  expect(loaded.filter((pk) => pk === "WS#ws_small1#RULES")).toHaveLength(1);
  expect(loaded.filter((pk) => pk === "WS#ws_small2#RULES")).toHaveLength(1);
  expect(loaded.filter((pk) => pk === "WS#ws_great#RULES")).toHaveLength(3);
});

it("while the many rules of one workspace are compiled, events of other workspaces are still processed", async () => {
  const { deps, ws } = await useWorld();
  const input = v.parse(RuleInput, { name: "A", eventKey: "*", targets: [{ type: "group", groupId: "grp_1" }] });
  for (let count = 0; count < 200; count += 1) await createRule(deps, ws, input);
  let turns = 0;
  let isLoading = true;
  const countEventLoopTurns = (): void => {
    turns += 1;
    if (isLoading) setImmediate(countEventLoopTurns);
  };
  setImmediate(countEventLoopTurns);

  const { value } = await createConfigCache(deps).rules(ws, 0);
  isLoading = false;

  expect(value.match({ eventKey: "disk.full", title: "Disk", body: "", priority: "HIGH" }, 0).rules).toHaveLength(200);
  // After compiling twenty rules, the cache lets other work run.
  expect(turns).toBeGreaterThanOrEqual(9);
});

it("each change of people, groups, schedules and rules raises the configuration's version, by which workers notice the change", async () => {
  const { deps, ws, group, rule, schedule, policy } = await useWorld();
  const groupId = await group("Ops", ["usr_ann"]);
  const { id } = await rule([groupId]);
  const member = { groupId, userId: "usr_ann" };
  const times = { start: "2027-05-01T00:00:00.000Z", end: "2027-05-02T00:00:00.000Z" };
  const override = await addOverride(deps, ws, groupId, { userId: "usr_ann", ...times });
  const { cover } = await addCover(deps, ws, aCover({ groupId }));
  const changes = {
    invite: () => saveMember(deps, ws, { userId: "usr_bob", name: "Bob", email: "bob@acme.example" }),
    create: () => rule([groupId]),
    silence: () => createSilence(deps, ws, v.parse(SilenceInput, { name: "A", eventKey: "disk.*", endsAt: times.end })),
    policy: () => policy([]),
    schedule: () => schedule(groupId, noSchedule),
    override: () => addOverride(deps, ws, groupId, { userId: "usr_ann", ...times }),
    endOverride: () => deleteOverride(deps, ws, groupId, override.id),
    cover: () => takeCover(deps, ws, cover, "usr_bob", { schedule: noSchedule, overrides: [] }),
    rename: () => updateGroup(deps, ws, groupId, { name: "Night" }),
    leave: () => removeGroupMember(deps, ws, member),
    join: () => addGroupMember(deps, ws, member),
    role: () => setRole(deps, ws, "usr_ann", "viewer"),
    floor: () => setUrgentFloor(deps, ws, null),
    steps: () => putNotificationRules(deps, ws, "usr_ann", createEmptyRules("usr_ann")),
    change: () => updateRule(deps, ws, id, { name: "Other" }),
    delete: () => deleteRule(deps, ws, id),
    dissolve: () => deleteGroup(deps, ws, groupId),
    remove: () => removeMember(deps, ws, "usr_ann"),
  };
  const sumVersions = async () => {
    const { peopleVersion, rulesVersion } = (await readControl(deps, ws))!;
    return peopleVersion + rulesVersion;
  };

  for (const [name, change] of Object.entries(changes)) {
    const before = await sumVersions();
    await change();
    expect([name, (await sumVersions()) > before]).toEqual([name, true]);
  }
});
