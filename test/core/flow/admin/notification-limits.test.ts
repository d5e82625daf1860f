import { expect, it } from "vitest";
import * as v from "valibot";
import { EVENT_NOTIFICATIONS_MAX } from "../../../../core/domain/basics/limits.ts";
import { RuleInput, type RulePatch } from "../../../../core/domain/rules/rule-input.ts";
import { addToGroup } from "../../../../core/flow/admin/notification-limits.ts";
import { createRule, updateRule } from "../../../../core/flow/admin/write-rule.ts";
import { ruleKey } from "../../../../core/store/keys.ts";
import { listRules } from "../../../../core/store/rules/rules.ts";
import { saveMember } from "../../../../core/store/people/members.ts";
import { useWorld } from "../../../world/use-world.ts";

const PEOPLE = 500;
const RULES = EVENT_NOTIFICATIONS_MAX / PEOPLE;

const userId = (index: number) => `usr_${String(index).padStart(4, "0")}`;

/** Fills a workspace until an event may cause only `PEOPLE` more notifications. The group `some` has one person fewer. */
const fillWorkspace = async () => {
  const world = await useWorld();
  const { deps, ws } = world;
  const all = await world.largeGroup(
    Array.from({ length: PEOPLE }, (_, index) => userId(index)),
    () => [],
  );
  const some = await world.largeGroup(
    Array.from({ length: PEOPLE - 1 }, (_, index) => userId(index)),
    () => [],
  );
  const one = await world.rule([all]);
  const copies = Array.from({ length: RULES - 2 }, (_, index) => {
    const id = `rule_${String(index).padStart(10, "0")}`;
    return { ...one, id, ...ruleKey(ws, id) };
  });
  await world.fill(copies);
  const ruleInput = (groupId: string, fields: object = {}) =>
    v.parse(RuleInput, { name: "Last", eventKey: "*", targets: [{ type: "group", groupId }], ...fields });
  return {
    world,
    all,
    some,
    create: (groupId: string, fields?: object) => createRule(deps, ws, ruleInput(groupId, fields)),
    change: (id: string, patch: RulePatch) => updateRule(deps, ws, id, patch),
    join: (groupId: string, userId: string) => addToGroup(deps, ws, { groupId, userId }),
  };
};

const limitReached = (notifications: number) => ({
  kind: "limit_reached",
  message: expect.stringContaining(`an event with the key * could cause ${notifications}.`) as string,
});

it("rules and groups may reach the limit of notifications per event, and a change that adds one more is refused", async () => {
  const { world, some, all, create, change, join } = await fillWorkspace();
  const single = await world.group("One", [userId(0)]);

  const last = await create(some);
  await join(some, userId(PEOPLE - 1));
  await expect(create(single)).rejects.toMatchObject(limitReached(EVENT_NOTIFICATIONS_MAX + 1));
  const disabled = await create(single, { enabled: false });
  await expect(change(disabled.id, { enabled: true })).rejects.toMatchObject(limitReached(EVENT_NOTIFICATIONS_MAX + 1));
  await expect(change(disabled.id, { name: "Other" })).resolves.toMatchObject({ name: "Other" });

  await saveMember(world.deps, world.ws, { userId: "usr_late", name: "Late", email: "late@acme.example" });
  await expect(join(some, "usr_late")).rejects.toMatchObject(limitReached(EVENT_NOTIFICATIONS_MAX + 1));

  // A person who is already in the group adds nothing, and a changed rule counts instead of its old version.
  await join(all, userId(7));
  await expect(change(last.id, { targets: [{ type: "group", groupId: all }] })).resolves.toBeDefined();
  expect(await listRules(world.deps, world.ws)).toHaveLength(RULES + 1);
});
