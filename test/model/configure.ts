import { listPolicies } from "../../core/store/rules/escalation-policies.ts";
import { listGroups } from "../../core/store/people/groups.ts";
import { listRules } from "../../core/store/rules/rules.ts";
import {
  people,
  workspaces,
  type RuleDraft,
  type StepDraft,
  type GroupingDraft,
  type ActiveWeek,
  type Ws,
} from "./history.ts";
import { listStatesWhileLeaving } from "./on-call.ts";
import {
  addEra,
  pickValue,
  expectStatus,
  idOf,
  currentValue,
  memberAt,
  listUnknown,
  withGroup,
  type Handlers,
  type WorkspaceModel,
  type Play,
} from "./play.ts";
import type { Devices, People, Policy, Rule, Step } from "./specification.ts";

const withPolicy = (people: People, policy: Policy): People => ({
  ...people,
  policies: [...people.policies.filter(({ id }) => id !== policy.id), policy],
});
const withRule = (rules: readonly Rule[], rule: Rule): Rule[] => [...rules.filter(({ id }) => id !== rule.id), rule];

const activeHoursOf = (week: ActiveWeek | null) => {
  if (week === null) return { activeHours: null, timeZone: null };
  const { timeZone, ...hours } = week;
  return { activeHours: [hours], timeZone };
};

const createRuleBody = (model: WorkspaceModel, wish: Partial<RuleDraft>) => {
  const { groups, policies } = currentValue(model.people);
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
  activeHours: readonly Omit<ActiveWeek, "timeZone">[] | null;
  timeZone: string | null;
} & GroupingDraft;
const readGrouping = ({ groupBy, groupMinutes, atLeast }: GroupingDraft): GroupingDraft => ({
  groupBy,
  groupMinutes,
  atLeast,
});
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

const createSteps = (model: WorkspaceModel, wishes: readonly StepDraft[]): Step[] =>
  wishes.map(({ minutes, to, pick }) => {
    const { groups, members } = currentValue(model.people);
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
    const { people: eras } = play.model[ws];
    const reached = people.map(idOf).filter((userId) => (value[ws][userId] ?? []).length > 0);
    addEra(eras, when, { ...currentValue(eras), reached });
  }
};

export const configuration = {
  createRule: async (play, { ws, by, rule }) => {
    const model = play.model[ws];
    if (currentValue(model.people).groups.length === 0) return undefined;
    const name = `rule ${model.rules.length}`;
    const body = { name, ...createRuleBody(model, rule) };
    const answer = await play.call<RuleBody>(ws, memberAt(model, by), "create-routing-rule", { body });
    if (!expectStatus(play, "create rule", answer, [201])) return "create rule";
    const made = ruleOf(answer.body);
    for (const stray of answer.tries > 1
      ? listUnknown(await listRules(play.world.faultlessDeps, ws), currentValue(model.rules))
      : []) {
      const also = ruleOf(stray);
      if (also.id === made.id) continue;
      if (!isSameRule(also, made)) play.violations.push(`an attempt to create ${name} created ${JSON.stringify(also)}`);
      addEra(model.rules, answer, withRule(currentValue(model.rules), also));
    }
    addEra(model.rules, answer, withRule(currentValue(model.rules), made));
    return `create rule ${made.id} ${made.pattern} for ${made.groupIds.join(" ")}`;
  },
  editRule: async (play, { ws, by, pick, rule, enabled }) => {
    const model = play.model[ws];
    const old = pickValue(currentValue(model.rules), pick);
    if (old === undefined) return undefined;
    const { targets, ...rest } = createRuleBody(model, rule) as { targets?: unknown };
    const groups = currentValue(model.people).groups.length > 0 && targets !== undefined ? { targets } : {};
    const body = { ...rest, ...groups, ...(enabled === null ? {} : { enabled }) };
    const answer = await play.call<RuleBody>(ws, memberAt(model, by), "update-routing-rule", {
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
      addEra(model.rules, answer, withRule(currentValue(model.rules), { ...made, version }));
    return `edit rule ${made.id} to ${JSON.stringify(body)}`;
  },
  deleteRule: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const old = pickValue(currentValue(model.rules), pick);
    if (old === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "delete-routing-rule", { path: { ruleId: old.id } });
    expectStatus(play, `delete rule ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    addEra(
      model.rules,
      answer,
      currentValue(model.rules).filter(({ id }) => id !== old.id),
    );
    return `delete rule ${old.id}`;
  },
  createGroup: async (play, { ws, by, first }) => {
    const model = play.model[ws];
    const as = memberAt(model, by);
    const answer = await play.call<{ id: string }>(ws, as, "create-group", { body: { name: "more" } });
    if (!expectStatus(play, "create group", answer, [201])) return "create group";
    const { id } = answer.body;
    if (answer.tries > 1)
      for (const stray of listUnknown(
        await listGroups(play.world.faultlessDeps, ws),
        currentValue(model.people).groups,
      ))
        addEra(model.people, answer, withGroup(currentValue(model.people), { id: stray.id, memberIds: [] }));
    addEra(model.people, answer, withGroup(currentValue(model.people), { id, memberIds: [] }));
    const joined = await play.call(ws, as, "add-group-member", {
      path: { groupId: id },
      body: { userId: idOf(first) },
    });
    const isMember = currentValue(model.people).members.includes(idOf(first));
    expectStatus(play, `add ${first} to ${id}`, joined, isMember ? (joined.clean ? [201] : [201, 200]) : [422]);
    if (isMember) addEra(model.people, joined, withGroup(currentValue(model.people), { id, memberIds: [idOf(first)] }));
    return `create group ${id} of ${first}: ${joined.status}`;
  },
  deleteGroup: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const old = pickValue(currentValue(model.people).groups, pick);
    if (old === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "delete-group", {
      path: { groupId: old.id },
      query: { force: "true" },
    });
    expectStatus(play, `delete group ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    const now = currentValue(model.people);
    addEra(model.people, answer, { ...now, groups: now.groups.filter(({ id }) => id !== old.id) });
    return `delete group ${old.id}`;
  },
  join: async (play, { ws, by, pick, who }) => {
    const model = play.model[ws];
    const now = currentValue(model.people);
    const group = pickValue(now.groups, pick);
    if (group === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "add-group-member", {
      path: { groupId: group.id },
      body: { userId: idOf(who) },
    });
    const isMember = now.members.includes(idOf(who));
    const isIn = group.memberIds.includes(idOf(who));
    const right = isIn ? [200] : answer.clean ? [201] : [201, 200];
    expectStatus(play, `add ${who} to ${group.id}`, answer, isMember ? right : [422]);
    if (isMember && !isIn)
      addEra(model.people, answer, withGroup(now, { ...group, memberIds: [...group.memberIds, idOf(who)] }));
    return `add ${who} to ${group.id}: ${answer.status}`;
  },
  leave: async (play, { ws, by, pick, who }) => {
    const model = play.model[ws];
    const now = currentValue(model.people);
    const group = pickValue(now.groups, pick);
    if (group === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "remove-group-member", {
      path: { groupId: group.id, userId: idOf(who) },
    });
    const isIn = group.memberIds.includes(idOf(who));
    expectStatus(play, `take ${who} from ${group.id}`, answer, isIn ? (answer.tries > 1 ? [204, 404] : [204]) : [404]);
    for (const left of listStatesWhileLeaving(group, idOf(who)))
      addEra(model.people, answer, withGroup(currentValue(model.people), left));
    return `take ${who} from ${group.id}: ${answer.status}`;
  },
  addMember: async (play, { ws, by, who }) => {
    const model = play.model[ws];
    const now = currentValue(model.people);
    const answer = await play.call(ws, memberAt(model, by), "add-member", {
      body: { userId: idOf(who), name: who, email: `${who}@acme.example`, role: "owner" },
    });
    const isMember = now.members.includes(idOf(who));
    expectStatus(play, `add ${who}`, answer, isMember ? [200] : answer.clean ? [201] : [201, 200]);
    if (!isMember) addEra(model.people, answer, { ...now, members: [...now.members, idOf(who)] });
    return `add member ${who}: ${answer.status}`;
  },
  removeMember: async (play, { ws, by, who }) => {
    const model = play.model[ws];
    const now = currentValue(model.people);
    const as = memberAt(model, by);
    const userId = idOf(who);
    const isMember = now.members.includes(userId);
    const isLast = isMember && now.members.length === 1;
    const answer = await play.call(ws, as, "remove-member", { path: { userId }, query: { force: "true" } });
    const again = as === userId ? [204, 404, 403] : [204, 404];
    expectStatus(play, `remove ${who}`, answer, isLast ? [409] : isMember ? (answer.tries > 1 ? again : [204]) : [404]);
    if (isMember && !isLast) {
      const members = now.members.filter((member) => member !== userId);
      const stages = now.groups.map((group) => listStatesWhileLeaving(group, userId));
      for (const stage of stages[0]?.keys() ?? [0])
        addEra(model.people, answer, { ...now, members, groups: stages.map((groups) => groups[stage]!) });
      changeDevices(play, answer, (where, user, tokens) => (where === ws && user === userId ? [] : tokens));
    }
    return `remove member ${who}: ${answer.status}`;
  },
  registerDevice: async (play, { ws, who, token }) => {
    const model = play.model[ws];
    const userId = idOf(who);
    const isMember = currentValue(model.people).members.includes(userId);
    const has = tokensOf(play, ws, userId).includes(token);
    const answer = await play.call(ws, userId, "register-device", { body: { token, platform: "android" } });
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
    const answer = await play.call<{ id: string; registeredAt: string }[]>(ws, userId, "list-devices");
    const isMember = currentValue(play.model[ws].people).members.includes(userId);
    if (!expectStatus(play, `list the devices of ${who}`, answer, isMember ? [200] : [403]) || !isMember)
      return undefined;
    const device = pickValue(answer.body, pick);
    if (device === undefined) return undefined;
    const item = play.world.dynamo.get({ pk: `WS#${ws}#DEVICES`, sk: userId });
    const token = item?.["devices"]?.M?.[device.id]?.M?.["token"]?.S ?? "";
    const gone = await play.call(ws, userId, "delete-device", { path: { deviceId: device.id } });
    expectStatus(play, `delete ${device.id}`, gone, gone.tries > 1 || token.startsWith("stale-") ? [204, 404] : [204]);
    changeDevices(play, gone, (where, user, tokens) =>
      where === ws && user === userId ? tokens.filter((other) => other !== token) : tokens,
    );
    return `delete ${token} of ${who}`;
  },
  createKey: async (play, { ws, by, sender, resolvesAny }) => {
    const model = play.model[ws];
    const as = memberAt(model, by);
    const answer = await play.call<{ id: string; key: string }>(ws, as, "create-api-key", {
      body: { name: sender, ...(resolvesAny ? { mayResolve: "any" } : {}) },
    });
    if (!expectStatus(play, "create API key", answer, [201])) return "create API key";
    if (answer.tries > 1) {
      const listed = await play.call<{ id: string }[]>(ws, as, "list-api-keys");
      for (const { id } of listUnknown(listed.body, [...model.keys, answer.body]))
        model.keys.push({ id, text: undefined, live: true, sender, resolvesAny });
    }
    model.keys.push({ id: answer.body.id, text: answer.body.key, live: true, sender, resolvesAny });
    return `create API key ${answer.body.id} of ${sender}${resolvesAny ? ", which resolves any" : ""}`;
  },
  deleteKey: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const key = pickValue(
      model.keys.filter(({ live }) => live),
      pick,
    );
    if (key === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "delete-api-key", { path: { id: key.id } });
    expectStatus(play, `delete API key ${key.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    key.live = false;
    return `delete API key ${key.id}`;
  },
  createPolicy: async (play, { ws, by, repeat, ackMinutes, steps }) => {
    const model = play.model[ws];
    const wanted = createSteps(model, steps);
    const answer = await play.call<{ id: string }>(ws, memberAt(model, by), "create-escalation-policy", {
      body: { name: "policy", repeat, ackMinutes, steps: wanted },
    });
    if (!expectStatus(play, "create policy", answer, [201])) return "create policy";
    if (answer.tries > 1)
      for (const stray of listUnknown(
        await listPolicies(play.world.faultlessDeps, ws),
        currentValue(model.people).policies,
      ))
        addEra(
          model.people,
          answer,
          withPolicy(currentValue(model.people), { id: stray.id, repeat, ackMinutes, steps: wanted }),
        );
    addEra(
      model.people,
      answer,
      withPolicy(currentValue(model.people), { id: answer.body.id, repeat, ackMinutes, steps: wanted }),
    );
    return `create policy ${answer.body.id} ${JSON.stringify(wanted)}`;
  },
  editPolicy: async (play, { ws, by, pick, repeat, ackMinutes, steps }) => {
    const model = play.model[ws];
    const old = pickValue(currentValue(model.people).policies, pick);
    if (old === undefined) return undefined;
    const body = { repeat, ackMinutes, steps: createSteps(model, steps) };
    const answer = await play.call(ws, memberAt(model, by), "update-escalation-policy", {
      path: { policyId: old.id },
      body,
    });
    expectStatus(play, `edit policy ${old.id}`, answer, [200]);
    addEra(model.people, answer, withPolicy(currentValue(model.people), { id: old.id, ...body }));
    return `edit policy ${old.id} to ${JSON.stringify(body)}`;
  },
  deletePolicy: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const now = currentValue(model.people);
    const old = pickValue(now.policies, pick);
    if (old === undefined) return undefined;
    const as = memberAt(model, by);
    const path = { policyId: old.id };
    if (currentValue(model.rules).some(({ policyId }) => policyId === old.id)) {
      const refused = await play.call(ws, as, "delete-escalation-policy", { path });
      expectStatus(play, `delete policy ${old.id}, which rules use`, refused, [409]);
    }
    const answer = await play.call(ws, as, "delete-escalation-policy", { path, query: { force: "true" } });
    expectStatus(play, `delete policy ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    addEra(model.people, answer, { ...now, policies: now.policies.filter(({ id }) => id !== old.id) });
    return `delete policy ${old.id}`;
  },
} satisfies Partial<Handlers>;
