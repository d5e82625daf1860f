import { listPolicies } from "../../core/store/rules/escalation-policies.ts";
import { listGroups } from "../../core/store/people/groups.ts";
import { listRules } from "../../core/store/rules/rules.ts";
import { people, workspaces, type RuleWish, type StepWish, type StormWish, type WeekWish, type Ws } from "./history.ts";
import { listStatesWhileLeaving } from "./duty.ts";
import {
  addEra,
  pickValue,
  expectStatus,
  idOf,
  currentValue,
  memberAt,
  listStrays,
  withGroup,
  type Handlers,
  type Kept,
  type Play,
} from "./play.ts";
import type { Devices, People, Policy, Rule, Step } from "./specification.ts";

const withPolicy = (people: People, policy: Policy): People => ({
  ...people,
  policies: [...people.policies.filter(({ id }) => id !== policy.id), policy],
});
const withRule = (rules: readonly Rule[], rule: Rule): Rule[] => [...rules.filter(({ id }) => id !== rule.id), rule];

const activeHoursOf = (week: WeekWish | null) => {
  if (week === null) return { activeHours: null, timeZone: null };
  const { timeZone, ...hours } = week;
  return { activeHours: [hours], timeZone };
};

const createRuleBody = (kept: Kept, wish: Partial<RuleWish>) => {
  const { groups, policies } = currentValue(kept.people);
  return {
    // The specification has no weekly probes.
    probe: null,
    ...(wish.pattern === undefined ? {} : { eventKey: wish.pattern }),
    ...(wish.groups === undefined
      ? {}
      : {
          targets: wish.groups.map((pick) => ({ type: "group", groupId: pickValue(groups, pick)?.id ?? "grp_none" })),
        }),
    ...(wish.requiresAck === undefined ? {} : { requiresAck: wish.requiresAck }),
    ...(wish.onCallOnly === undefined ? {} : { onCallOnly: wish.onCallOnly }),
    ...(wish.override === undefined ? {} : { priorityOverride: wish.override }),
    ...(wish.policy === undefined
      ? {}
      : { escalationPolicyId: wish.policy === null ? null : (pickValue(policies, wish.policy)?.id ?? null) }),
    ...(wish.above === undefined
      ? {}
      : {
          conditions:
            wish.above === null
              ? []
              : [{ field: "data.amount", operator: "greater_than", value: wish.above, not: wish.not === true }],
        }),
    ...(wish.fallback === undefined ? {} : { fallback: wish.fallback }),
    ...(wish.position === undefined
      ? {}
      : { chain: wish.position === null ? null : "orders", position: wish.position }),
    ...(wish.active === undefined ? {} : activeHoursOf(wish.active)),
    ...(wish.storm === undefined ? {} : (wish.storm ?? { groupBy: null, groupMinutes: null, atLeast: null })),
  };
};

export type RuleBody = {
  id: string;
  name: string;
  version: number;
  eventKey: string;
  targets: readonly { groupId: string }[];
  requiresAck: boolean;
  priorityOverride: string | null;
  onCallOnly: boolean;
  escalationPolicyId: string | null;
  conditions: readonly { value?: unknown; not?: boolean }[];
  enabled: boolean;
  fallback: boolean;
  position: number | null;
  activeHours: readonly Omit<WeekWish, "timeZone">[] | null;
  timeZone: string | null;
} & StormWish;
const readGrouping = ({ groupBy, groupMinutes, atLeast }: StormWish): StormWish => ({ groupBy, groupMinutes, atLeast });
export const ruleOf = (body: RuleBody): Rule => ({
  id: body.id,
  name: body.name,
  version: body.version,
  pattern: body.eventKey,
  groupIds: body.targets.map(({ groupId }) => groupId),
  requiresAck: body.requiresAck,
  override: body.priorityOverride,
  onCallOnly: body.onCallOnly,
  policyId: body.escalationPolicyId,
  above: body.conditions.length === 0 ? null : Number(body.conditions[0]?.value),
  not: body.conditions[0]?.not ?? false,
  enabled: body.enabled,
  fallback: body.fallback,
  position: body.position,
  active: (body.activeHours ?? []).map((hours) => ({ ...hours, timeZone: body.timeZone ?? "" }))[0] ?? null,
  storm: body.groupBy === null && body.atLeast === null ? null : readGrouping(body),
});

const createSteps = (kept: Kept, wishes: readonly StepWish[]): Step[] =>
  wishes.map(({ minutes, to, pick }) => {
    const { groups, members } = currentValue(kept.people);
    const group = pickValue(groups, pick);
    if (to === "user") return { delayMinutes: minutes, targets: [{ type: "user", userId: pickValue(members, pick)! }] };
    if (to === "nobody" || group === undefined) return { delayMinutes: minutes, targets: [] };
    const onCallOnly = to === "onCall";
    return { delayMinutes: minutes, targets: [{ type: "group", groupId: group.id, onCallOnly }] };
  });

const isSameRule = (one: Rule, other: Rule): boolean =>
  JSON.stringify({ ...one, id: "", version: 0 }) === JSON.stringify({ ...other, id: "", version: 0 });

const tokensOf = (play: Play, ws: Ws, userId: string): readonly string[] =>
  currentValue(play.devices)[ws][userId] ?? [];

const changeDevices = (
  play: Play,
  when: { from: number; to: number },
  edit: (ws: Ws, userId: string, tokens: readonly string[]) => readonly string[],
): void => {
  const before = currentValue(play.devices);
  const value = Object.fromEntries(
    workspaces.map((ws) => [
      ws,
      Object.fromEntries(
        people.map((person) => [idOf(person), edit(ws, idOf(person), before[ws][idOf(person)] ?? [])]),
      ),
    ]),
  ) as Record<Ws, Devices>;
  addEra(play.devices, when, value);
  for (const ws of workspaces) {
    const { people: eras } = play.kept[ws];
    const reached = people.map(idOf).filter((userId) => (value[ws][userId] ?? []).length > 0);
    addEra(eras, when, { ...currentValue(eras), reached });
  }
};

export const configuration = {
  createRule: async (play, { ws, by, rule }) => {
    const kept = play.kept[ws];
    if (currentValue(kept.people).groups.length === 0) return undefined;
    const name = `rule ${kept.rules.length}`;
    const body = { name, ...createRuleBody(kept, rule) };
    const answer = await play.ask<RuleBody>(ws, memberAt(kept, by), "create-routing-rule", { body });
    if (!expectStatus(play, "create rule", answer, [201])) return "create rule";
    const made = ruleOf(answer.body);
    for (const stray of answer.tries > 1
      ? listStrays(await listRules(play.world.quiet, ws), currentValue(kept.rules))
      : []) {
      const also = ruleOf(stray);
      if (also.id === made.id) continue;
      if (!isSameRule(also, made)) play.violations.push(`a try to create ${name} made ${JSON.stringify(also)}`);
      addEra(kept.rules, answer, withRule(currentValue(kept.rules), also));
    }
    addEra(kept.rules, answer, withRule(currentValue(kept.rules), made));
    return `create rule ${made.id} ${made.pattern} for ${made.groupIds.join(" ")}`;
  },
  editRule: async (play, { ws, by, pick, rule, enabled }) => {
    const kept = play.kept[ws];
    const old = pickValue(currentValue(kept.rules), pick);
    if (old === undefined) return undefined;
    const { targets, ...rest } = createRuleBody(kept, rule) as { targets?: unknown };
    const groups = currentValue(kept.people).groups.length > 0 && targets !== undefined ? { targets } : {};
    const body = { ...rest, ...groups, ...(enabled === null ? {} : { enabled }) };
    const answer = await play.ask<RuleBody>(ws, memberAt(kept, by), "update-routing-rule", {
      path: { ruleId: old.id },
      headers: { "if-match": `"${old.version}"` },
      body,
    });
    if (!expectStatus(play, `edit rule ${old.id}`, answer, [200])) return "edit rule";
    const made = ruleOf(answer.body);
    // A change without an effect creates no version, however often it is sent.
    if (made.version !== old.version + (isSameRule({ ...made, version: old.version }, old) ? 0 : 1))
      play.violations.push(`rule ${old.id} went from version ${old.version} to ${made.version}`);
    for (let version = old.version + 1; version <= made.version; version += 1)
      addEra(kept.rules, answer, withRule(currentValue(kept.rules), { ...made, version }));
    return `edit rule ${made.id} to ${JSON.stringify(body)}`;
  },
  deleteRule: async (play, { ws, by, pick }) => {
    const kept = play.kept[ws];
    const old = pickValue(currentValue(kept.rules), pick);
    if (old === undefined) return undefined;
    const answer = await play.ask(ws, memberAt(kept, by), "delete-routing-rule", { path: { ruleId: old.id } });
    expectStatus(play, `delete rule ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    addEra(
      kept.rules,
      answer,
      currentValue(kept.rules).filter(({ id }) => id !== old.id),
    );
    return `delete rule ${old.id}`;
  },
  createGroup: async (play, { ws, by, first }) => {
    const kept = play.kept[ws];
    const as = memberAt(kept, by);
    const answer = await play.ask<{ id: string }>(ws, as, "create-group", { body: { name: "more" } });
    if (!expectStatus(play, "create group", answer, [201])) return "create group";
    const { id } = answer.body;
    if (answer.tries > 1)
      for (const stray of listStrays(await listGroups(play.world.quiet, ws), currentValue(kept.people).groups))
        addEra(kept.people, answer, withGroup(currentValue(kept.people), { id: stray.id, memberIds: [] }));
    addEra(kept.people, answer, withGroup(currentValue(kept.people), { id, memberIds: [] }));
    const joined = await play.ask(ws, as, "add-group-member", { path: { groupId: id }, body: { userId: idOf(first) } });
    const isMember = currentValue(kept.people).members.includes(idOf(first));
    expectStatus(play, `add ${first} to ${id}`, joined, isMember ? (joined.clean ? [201] : [201, 200]) : [422]);
    if (isMember) addEra(kept.people, joined, withGroup(currentValue(kept.people), { id, memberIds: [idOf(first)] }));
    return `create group ${id} of ${first}: ${joined.status}`;
  },
  deleteGroup: async (play, { ws, by, pick }) => {
    const kept = play.kept[ws];
    const old = pickValue(currentValue(kept.people).groups, pick);
    if (old === undefined) return undefined;
    const answer = await play.ask(ws, memberAt(kept, by), "delete-group", {
      path: { groupId: old.id },
      query: { force: "true" },
    });
    expectStatus(play, `delete group ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    const now = currentValue(kept.people);
    addEra(kept.people, answer, { ...now, groups: now.groups.filter(({ id }) => id !== old.id) });
    return `delete group ${old.id}`;
  },
  join: async (play, { ws, by, pick, who }) => {
    const kept = play.kept[ws];
    const now = currentValue(kept.people);
    const group = pickValue(now.groups, pick);
    if (group === undefined) return undefined;
    const answer = await play.ask(ws, memberAt(kept, by), "add-group-member", {
      path: { groupId: group.id },
      body: { userId: idOf(who) },
    });
    const isMember = now.members.includes(idOf(who));
    const isIn = group.memberIds.includes(idOf(who));
    const right = isIn ? [200] : answer.clean ? [201] : [201, 200];
    expectStatus(play, `add ${who} to ${group.id}`, answer, isMember ? right : [422]);
    if (isMember && !isIn)
      addEra(kept.people, answer, withGroup(now, { ...group, memberIds: [...group.memberIds, idOf(who)] }));
    return `add ${who} to ${group.id}: ${answer.status}`;
  },
  leave: async (play, { ws, by, pick, who }) => {
    const kept = play.kept[ws];
    const now = currentValue(kept.people);
    const group = pickValue(now.groups, pick);
    if (group === undefined) return undefined;
    const answer = await play.ask(ws, memberAt(kept, by), "remove-group-member", {
      path: { groupId: group.id, userId: idOf(who) },
    });
    const isIn = group.memberIds.includes(idOf(who));
    expectStatus(play, `take ${who} from ${group.id}`, answer, isIn ? (answer.tries > 1 ? [204, 404] : [204]) : [404]);
    for (const left of listStatesWhileLeaving(group, idOf(who)))
      addEra(kept.people, answer, withGroup(currentValue(kept.people), left));
    return `take ${who} from ${group.id}: ${answer.status}`;
  },
  addMember: async (play, { ws, by, who }) => {
    const kept = play.kept[ws];
    const now = currentValue(kept.people);
    const answer = await play.ask(ws, memberAt(kept, by), "add-member", {
      body: { userId: idOf(who), name: who, email: `${who}@acme.example`, role: "owner" },
    });
    const isMember = now.members.includes(idOf(who));
    expectStatus(play, `add ${who}`, answer, isMember ? [200] : answer.clean ? [201] : [201, 200]);
    if (!isMember) addEra(kept.people, answer, { ...now, members: [...now.members, idOf(who)] });
    return `add member ${who}: ${answer.status}`;
  },
  removeMember: async (play, { ws, by, who }) => {
    const kept = play.kept[ws];
    const now = currentValue(kept.people);
    const as = memberAt(kept, by);
    const userId = idOf(who);
    const isMember = now.members.includes(userId);
    const isLast = isMember && now.members.length === 1;
    const answer = await play.ask(ws, as, "remove-member", { path: { userId }, query: { force: "true" } });
    const again = as === userId ? [204, 404, 403] : [204, 404];
    expectStatus(play, `remove ${who}`, answer, isLast ? [409] : isMember ? (answer.tries > 1 ? again : [204]) : [404]);
    if (isMember && !isLast) {
      const members = now.members.filter((member) => member !== userId);
      const stages = now.groups.map((group) => listStatesWhileLeaving(group, userId));
      for (const stage of stages[0]?.keys() ?? [0])
        addEra(kept.people, answer, { ...now, members, groups: stages.map((groups) => groups[stage]!) });
      changeDevices(play, answer, (where, user, tokens) => (where === ws && user === userId ? [] : tokens));
    }
    return `remove member ${who}: ${answer.status}`;
  },
  registerDevice: async (play, { ws, who, token }) => {
    const kept = play.kept[ws];
    const userId = idOf(who);
    const isMember = currentValue(kept.people).members.includes(userId);
    const has = tokensOf(play, ws, userId).includes(token);
    const answer = await play.ask(ws, userId, "register-device", { body: { token, platform: "android" } });
    const known = has ? (token.startsWith("stale-") ? [200, 201] : [200]) : answer.clean ? [201] : [201, 200];
    expectStatus(play, `register ${token} of ${who}`, answer, isMember ? known : [403]);
    if (isMember)
      changeDevices(play, answer, (where, user, tokens) =>
        user === userId
          ? where === ws && !has
            ? [...tokens, token]
            : tokens
          : tokens.filter((other) => other !== token),
      );
    return `register ${token} of ${who}: ${answer.status}`;
  },
  deleteDevice: async (play, { ws, who, pick }) => {
    const userId = idOf(who);
    const answer = await play.ask<{ id: string; registeredAt: string }[]>(ws, userId, "list-devices");
    const isMember = currentValue(play.kept[ws].people).members.includes(userId);
    if (!expectStatus(play, `list the devices of ${who}`, answer, isMember ? [200] : [403]) || !isMember)
      return undefined;
    const device = pickValue(answer.body, pick);
    if (device === undefined) return undefined;
    const item = play.world.dynamo.get({ pk: `WS#${ws}#DEVICES`, sk: userId });
    const token = item?.["devices"]?.M?.[device.id]?.M?.["token"]?.S ?? "";
    const gone = await play.ask(ws, userId, "delete-device", { path: { deviceId: device.id } });
    expectStatus(play, `delete ${device.id}`, gone, gone.tries > 1 || token.startsWith("stale-") ? [204, 404] : [204]);
    changeDevices(play, gone, (where, user, tokens) =>
      where === ws && user === userId ? tokens.filter((other) => other !== token) : tokens,
    );
    return `delete ${token} of ${who}`;
  },
  createKey: async (play, { ws, by, sender, resolvesAny }) => {
    const kept = play.kept[ws];
    const as = memberAt(kept, by);
    const answer = await play.ask<{ id: string; key: string }>(ws, as, "create-api-key", {
      body: { name: sender, ...(resolvesAny ? { mayResolve: "any" } : {}) },
    });
    if (!expectStatus(play, "create API key", answer, [201])) return "create API key";
    if (answer.tries > 1) {
      const listed = await play.ask<{ id: string }[]>(ws, as, "list-api-keys");
      for (const { id } of listStrays(listed.body, [...kept.keys, answer.body]))
        kept.keys.push({ id, text: undefined, live: true, sender, resolvesAny });
    }
    kept.keys.push({ id: answer.body.id, text: answer.body.key, live: true, sender, resolvesAny });
    return `create API key ${answer.body.id} of ${sender}${resolvesAny ? ", which resolves any" : ""}`;
  },
  deleteKey: async (play, { ws, by, pick }) => {
    const kept = play.kept[ws];
    const key = pickValue(
      kept.keys.filter(({ live }) => live),
      pick,
    );
    if (key === undefined) return undefined;
    const answer = await play.ask(ws, memberAt(kept, by), "delete-api-key", { path: { id: key.id } });
    expectStatus(play, `delete API key ${key.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    key.live = false;
    return `delete API key ${key.id}`;
  },
  createPolicy: async (play, { ws, by, repeat, ackMinutes, steps }) => {
    const kept = play.kept[ws];
    const wanted = createSteps(kept, steps);
    const answer = await play.ask<{ id: string }>(ws, memberAt(kept, by), "create-escalation-policy", {
      body: { name: "policy", repeat, ackMinutes, steps: wanted },
    });
    if (!expectStatus(play, "create policy", answer, [201])) return "create policy";
    if (answer.tries > 1)
      for (const stray of listStrays(await listPolicies(play.world.quiet, ws), currentValue(kept.people).policies))
        addEra(
          kept.people,
          answer,
          withPolicy(currentValue(kept.people), { id: stray.id, repeat, ackMinutes, steps: wanted }),
        );
    addEra(
      kept.people,
      answer,
      withPolicy(currentValue(kept.people), { id: answer.body.id, repeat, ackMinutes, steps: wanted }),
    );
    return `create policy ${answer.body.id} ${JSON.stringify(wanted)}`;
  },
  editPolicy: async (play, { ws, by, pick, repeat, ackMinutes, steps }) => {
    const kept = play.kept[ws];
    const old = pickValue(currentValue(kept.people).policies, pick);
    if (old === undefined) return undefined;
    const body = { repeat, ackMinutes, steps: createSteps(kept, steps) };
    const answer = await play.ask(ws, memberAt(kept, by), "update-escalation-policy", {
      path: { policyId: old.id },
      body,
    });
    expectStatus(play, `edit policy ${old.id}`, answer, [200]);
    addEra(kept.people, answer, withPolicy(currentValue(kept.people), { id: old.id, ...body }));
    return `edit policy ${old.id} to ${JSON.stringify(body)}`;
  },
  deletePolicy: async (play, { ws, by, pick }) => {
    const kept = play.kept[ws];
    const now = currentValue(kept.people);
    const old = pickValue(now.policies, pick);
    if (old === undefined) return undefined;
    const as = memberAt(kept, by);
    const path = { policyId: old.id };
    if (currentValue(kept.rules).some(({ policyId }) => policyId === old.id)) {
      const refused = await play.ask(ws, as, "delete-escalation-policy", { path });
      expectStatus(play, `delete policy ${old.id}, which rules use`, refused, [409]);
    }
    const answer = await play.ask(ws, as, "delete-escalation-policy", { path, query: { force: "true" } });
    expectStatus(play, `delete policy ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    addEra(kept.people, answer, { ...now, policies: now.policies.filter(({ id }) => id !== old.id) });
    return `delete policy ${old.id}`;
  },
} satisfies Partial<Handlers>;
