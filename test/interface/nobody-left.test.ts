import { describe, expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

const { app, mine, ask, get } = await startFilled();

type Warned = { id: string; warnings: { code: string; id?: string }[] };

/** Returns the code and the id of each warning, except warnings about unknown names. */
const codesOf = ({ warnings }: Pick<Warned, "warnings">) =>
  warnings.flatMap(({ code, id }) => (id === undefined ? [] : [`${code} ${id}`]));
const createItem = async (path: string, body: object) => (await ask<{ id: string }>("POST", path, body)).body.id;
const createGroup = async (...userIds: string[]) => {
  const id = await createItem("/groups", { name: "Some" });
  for (const userId of userIds) await ask("POST", `/groups/${id}/members`, { userId });
  return id;
};
const createPolicyFor = (groupId: string) =>
  createItem("/escalation-policies", {
    name: "Lead",
    steps: [{ delayMinutes: 5, targets: [{ type: "group", groupId, onCallOnly: false }] }],
  });
const createRuleFor = (groupId: string, rule: object = {}) =>
  createItem("/routing-rules", {
    name: "Disks",
    eventKey: "disk.*",
    targets: [{ type: "group", groupId }],
    requiresAck: true,
    ...rule,
  });
const createDailySchedule = (...participants: string[]) => ({
  timeZone: "UTC",
  layers: [{ start: "2026-01-01T00:00", every: 1, unit: "day", participants }],
});

describe("an escalation policy that rules use", () => {
  it("can be deleted only by force, and the refusal names the rules", async () => {
    const policyId = await createPolicyFor(mine.groupId);
    const ruleId = await createRuleFor(mine.groupId, { escalationPolicyId: policyId });

    const refused = await ask<object>("DELETE", `/escalation-policies/${policyId}`);

    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "policy_in_use",
        rules: [{ id: ruleId, name: "Disks" }],
        detail:
          "A rule escalates by this policy and would stop escalating: Disks. " +
          "Give these rules another policy first, or delete the policy with ?force=true.",
      },
    });
    expect((await ask("GET", `/escalation-policies/${policyId}`)).status).toBe(200);
    expect((await ask("DELETE", `/escalation-policies/${policyId}?force=yes`)).status).toBe(422);
    expect((await ask("DELETE", `/escalation-policies/${policyId}?force=true`)).status).toBe(204);
    expect((await ask("DELETE", `/escalation-policies/${policyId}?force=true`)).status).toBe(404);
    const rules = await get<Warned[]>("/routing-rules");
    expect(codesOf(rules.find(({ id }) => id === ruleId)!)).toEqual([`policy_deleted ${policyId}`]);
  });
});

const createPolicyNaming = (target: object, name = "Lead") =>
  createItem("/escalation-policies", { name, steps: [{ delayMinutes: 5, targets: [target] }] });
const addPerson = async (hex: string, name: string) => {
  const userId = `usr_${hex.padEnd(32, "0")}`;
  await ask("POST", "/members", { userId, name, email: `${name.toLowerCase()}@acme.example` });
  return userId;
};

describe("a group that a step of an escalation policy names", () => {
  it("can be deleted only by force, and the refusal names the policies and their rules", async () => {
    const groupId = await createGroup(alice);
    const policyId = await createPolicyFor(groupId);
    const ruleId = await createRuleFor(mine.groupId, { escalationPolicyId: policyId });

    const refused = await ask<object>("DELETE", `/groups/${groupId}`);

    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "used_by_policies",
        policies: [{ id: policyId, name: "Lead" }],
        rules: [{ id: ruleId, name: "Disks" }],
        detail:
          "An escalation policy has a step that names this group: Lead. Rules with this policy: Disks. " +
          "Change the steps first, or delete the group with ?force=true.",
      },
    });
    expect((await ask("GET", `/groups/${groupId}`)).status).toBe(200);
  });

  it("can be deleted only by force even if no rule uses the policy", async () => {
    const groupId = await createGroup(alice);
    const policyIds = [await createPolicyFor(groupId), await createPolicyNaming({ type: "group", groupId }, "Night")];

    expect(await ask<object>("DELETE", `/groups/${groupId}`)).toMatchObject({
      status: 409,
      body: {
        policies: [
          { id: policyIds[0], name: "Lead" },
          { id: policyIds[1], name: "Night" },
        ],
        rules: [],
        detail:
          "2 escalation policies have a step that names this group: Lead, Night. " +
          "Change the steps first, or delete the group with ?force=true.",
      },
    });
  });

  it("can be deleted by force, and is unknown after that", async () => {
    const groupId = await createGroup(alice);
    await createPolicyFor(groupId);

    expect((await ask("DELETE", `/groups/${groupId}?force=yes`)).status).toBe(422);
    expect((await ask("DELETE", `/groups/${groupId}?force=true`)).status).toBe(204);
    expect((await ask("DELETE", `/groups/${groupId}`)).status).toBe(404);
  });

  it("is reported as missing in the policy and its rules, in every list, after the group is deleted", async () => {
    const groupId = await createGroup(alice);
    const steps = [groupId, mine.groupId].map((id) => ({ delayMinutes: 5, targets: [{ type: "group", groupId: id }] }));
    const policyId = await createItem("/escalation-policies", { name: "Lead", steps });
    const ruleId = await createRuleFor(mine.groupId, { escalationPolicyId: policyId });
    await ask("DELETE", `/groups/${groupId}?force=true`);

    const policies = await get<Warned[]>("/escalation-policies");
    const rules = await get<Warned[]>("/routing-rules");

    expect(codesOf(policies.find(({ id }) => id === policyId)!)).toEqual([`group_deleted ${groupId}`]);
    expect(codesOf(await get<Warned>(`/escalation-policies/${policyId}`))).toContain(`group_deleted ${groupId}`);
    expect(codesOf(rules.find(({ id }) => id === ruleId)!)).toEqual([`policy_step_gone ${policyId}`]);
    expect(codesOf(await get<Warned>(`/routing-rules/${ruleId}`))).toContain(`policy_step_gone ${policyId}`);
  });

  it("can be deleted without force once no step names it", async () => {
    const groupId = await createGroup(alice);
    const policyId = await createPolicyFor(groupId);
    await ask("PATCH", `/escalation-policies/${policyId}`, { steps: [] });

    expect((await ask("DELETE", `/groups/${groupId}`)).status).toBe(204);
  });
});

describe("a member whom a step of an escalation policy names", () => {
  it("can be removed only by force, and the refusal names the policies and their rules", async () => {
    const userId = await addPerson("de1", "Dele");
    const policyId = await createPolicyNaming({ type: "user", userId });
    const ruleId = await createRuleFor(mine.groupId, { escalationPolicyId: policyId });

    expect(await ask<object>("DELETE", `/members/${userId}`)).toMatchObject({
      status: 409,
      body: {
        code: "used_by_policies",
        policies: [{ id: policyId, name: "Lead" }],
        rules: [{ id: ruleId, name: "Disks" }],
        detail:
          "An escalation policy has a step that names this member: Lead. Rules with this policy: Disks. " +
          "Change the steps first, or remove the member with ?force=true.",
      },
    });
    expect((await ask("GET", `/members/${userId}`)).status).toBe(200);
  });

  it("can be removed by force, after which the policy and its rules show warnings", async () => {
    const userId = await addPerson("de2", "Ed");
    const policyId = await createPolicyNaming({ type: "user", userId });
    const ruleId = await createRuleFor(mine.groupId, { escalationPolicyId: policyId });

    expect((await ask("DELETE", `/members/${userId}?force=true`)).status).toBe(204);

    expect((await ask("DELETE", `/members/${userId}`)).status).toBe(404);
    const policies = await get<Warned[]>("/escalation-policies");
    expect(codesOf(policies.find(({ id }) => id === policyId)!)).toEqual([
      `user_left ${userId}`,
      `policy_reaches_nobody ${policyId}`,
    ]);
    const rules = await get<Warned[]>("/routing-rules");
    expect(codesOf(rules.find(({ id }) => id === ruleId)!)).toEqual([
      `policy_step_gone ${policyId}`,
      `policy_reaches_nobody ${policyId}`,
    ]);
  });

  it("can be removed without force from a group that the step does not name", async () => {
    const userId = await addPerson("de3", "Fay");
    const groupId = await createGroup(userId, alice);
    await createPolicyNaming({ type: "user", userId });

    expect((await ask("DELETE", `/groups/${groupId}/members/${userId}`)).status).toBe(204);
  });
});

describe("the list of routing rules", () => {
  it("says for each rule why it notifies nobody", async () => {
    const empty = await createGroup();
    const gone = await createGroup(alice);
    const unreachable = await createGroup(bob);
    const policyId = await createPolicyFor(empty);
    const rules = {
      empty: await createRuleFor(empty),
      gone: await createRuleFor(gone),
      unreachable: await createRuleFor(unreachable),
      noSchedule: await createRuleFor(gone === "" ? empty : mine.groupId, { onCallOnly: true }),
      noStep: await createRuleFor(mine.groupId, { escalationPolicyId: policyId }),
      good: await createRuleFor(mine.groupId),
    };
    await ask("DELETE", `/groups/${gone}`);

    const listed = await get<Warned[]>("/routing-rules");

    const listCodesOf = (id: string) => codesOf(listed.find((rule) => rule.id === id)!);
    expect(listCodesOf(rules.empty)).toEqual([`group_empty ${empty}`]);
    expect(listCodesOf(rules.gone)).toEqual([`group_deleted ${gone}`]);
    expect(listCodesOf(rules.unreachable)).toEqual([`no_devices ${unreachable}`]);
    expect(listCodesOf(rules.noSchedule)).toEqual([]);
    expect(listCodesOf(rules.noStep)).toEqual([`policy_reaches_nobody ${policyId}`]);
    expect(listCodesOf(rules.good)).toEqual([]);
    expect(codesOf(await get<Warned>(`/routing-rules/${rules.empty}`))).toEqual([`group_empty ${empty}`]);
  });

  it("reads people and devices once, however many rules there are", async () => {
    const countReadUnits = async () => {
      app.stand.usedUnits();
      await get("/routing-rules");
      return app.stand.usedUnits();
    };
    const before = await countReadUnits();
    for (let rule = 0; rule < 20; rule += 1) await createRuleFor(mine.groupId);

    // Twenty rules take 12 KB, which cost 3 read units.
    expect((await countReadUnits()) - before).toBeLessThanOrEqual(3);
  });
});

describe("a warning that an event would notify nobody", () => {
  const readWarning = async (method: "DELETE", path: string) => (await ask(method, path)).headers["X-Warning"];

  it("is given when the last person leaves a group", async () => {
    const groupId = await createGroup(alice, bob);

    expect(await readWarning("DELETE", `/groups/${groupId}/members/${bob}`)).toBeUndefined();
    expect(await readWarning("DELETE", `/groups/${groupId}/members/${alice}`)).toBe(`group_empty; groups=${groupId}`);
  });

  it("is given when the last person on call leaves the group", async () => {
    const groupId = await createGroup(alice, bob);
    await ask("PUT", `/groups/${groupId}/on-call`, createDailySchedule(bob));

    expect(await readWarning("DELETE", `/groups/${groupId}/members/${bob}`)).toBe(`nobody_on_duty; groups=${groupId}`);
  });

  it("is given when the override of the last person on call is deleted", async () => {
    const groupId = await createGroup(alice);
    const start = new Date(app.deps.now() - 3_600_000).toISOString();
    const end = new Date(app.deps.now() + 3_600_000).toISOString();
    const id = await createItem(`/groups/${groupId}/on-call/overrides`, { userId: alice, start, end });
    const later = await createItem(`/groups/${groupId}/on-call/overrides`, {
      userId: alice,
      start: "2027-01-01T00:00:00Z",
      end: "2027-01-02T00:00:00Z",
    });

    expect(await readWarning("DELETE", `/groups/${groupId}/on-call/overrides/${later}`)).toBeUndefined();
    expect(await readWarning("DELETE", `/groups/${groupId}/on-call/overrides/${id}`)).toBe(
      `nobody_on_duty; groups=${groupId}`,
    );
  });

  it("is given when a changed schedule leaves nobody on call", async () => {
    const groupId = await createGroup(alice, bob);
    const putSchedule = async (schedule: object) =>
      (await ask<Warned>("PUT", `/groups/${groupId}/on-call`, schedule)).body.warnings.map(({ code }) => code);

    expect(await putSchedule(createDailySchedule(alice))).not.toContain("nobody_on_duty");
    expect(await putSchedule({ timeZone: "UTC", layers: [] })).toContain("nobody_on_duty");
    expect(await putSchedule({ timeZone: "Europe/Berlin", layers: [] })).not.toContain("nobody_on_duty");
  });

  it("is given for every group that the removal of a member leaves empty", async () => {
    const carol = `usr_${"ca401".padEnd(32, "0")}`;
    await ask("POST", "/members", { userId: carol, name: "Carol", email: "carol@acme.example" });
    const [one, other] = [await createGroup(carol), await createGroup(carol, alice)];
    await ask("PUT", `/groups/${other}/on-call`, createDailySchedule(carol));

    const warning = await readWarning("DELETE", `/members/${carol}`);

    expect(warning).toBe(`group_empty; groups=${one}, nobody_on_duty; groups=${other}`);
  });
});
