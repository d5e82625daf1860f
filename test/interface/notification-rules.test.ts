import { describe, expect, it } from "vitest";
import type { Method } from "../../interface/contract.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

const { app, mine, ask, get } = await startFilled({ voice: "none" });
const root = `/v1/workspaces/${mine.workspaceId}`;
const path = "/notification-rules";

type Rules = {
  userId: string;
  version: number;
  rungs: Record<"LOW" | "NORMAL" | "HIGH" | "URGENT", { afterMinutes: number; ways: string[] }[]>;
  quietHours: object | null;
  urgentFloor: object | null;
  ways: string[];
  warnings?: { code: string; id?: string; field?: string }[];
  errors?: { field: string; code: string }[];
  code?: string;
};

const createStep = (afterMinutes: number, ...channels: string[]) => ({ afterMinutes, ways: channels });
const none = { LOW: [], NORMAL: [], HIGH: [], URGENT: [] };
const putRules = (body: object, as = alice, ifMatch?: string) =>
  app.ask<Rules>(root + path, {
    method: "PUT" satisfies Method,
    as,
    body,
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });
const faultsOf = async (body: object) => {
  const { status, body: problem } = await putRules(body);
  return { status, faults: problem.errors?.map(({ field, code }) => `${field} ${code}`) };
};
const listWarnings = ({ warnings = [] }: Rules) => warnings.map(({ code, field, id }) => [code, field ?? id]);

describe("personal notification rules", () => {
  it("are empty at first, and are shown with the channels of the service", async () => {
    expect(await get<Rules>(path)).toEqual({
      userId: alice,
      rungs: none,
      quietHours: null,
      version: 0,
      urgentFloor: null,
      ways: ["push", "email", "sms"],
    });
  });

  it("are replaced completely, can be sent back as they were read, and are separate for each person", async () => {
    const first = await putRules({ rungs: { HIGH: [createStep(0, "push"), createStep(5, "push")] } });
    expect(first).toMatchObject({ status: 200, body: { version: 1 } });

    const read = await get<Rules>(path);
    expect(read.rungs.HIGH).toEqual([createStep(0, "push"), createStep(5, "push")]);
    expect(await putRules(read)).toMatchObject({ status: 200, body: { version: 1 } });

    expect(await putRules({})).toMatchObject({ status: 200, body: { version: 2, rungs: none } });
    expect((await ask<Rules>("GET", path, undefined, bob)).body.version).toBe(0);
  });

  it("are not overwritten by a person who has not seen the last change", async () => {
    const { body } = await putRules({ rungs: { LOW: [createStep(1, "push")] } });
    const tag = `"${body.version}"`;

    expect((await putRules({ rungs: { LOW: [createStep(2, "push")] } }, alice, tag)).status).toBe(200);
    expect(await putRules({ rungs: { LOW: [createStep(3, "push")] } }, alice, tag)).toMatchObject({
      status: 412,
      body: { code: "changed_meanwhile" },
    });
    expect((await get<Rules>(path)).rungs.LOW).toEqual([createStep(2, "push")]);
  });

  it("are refused with the place of each fault", async () => {
    expect(await faultsOf({ rungs: { HIGH: [createStep(5, "push"), createStep(5, "push")] } })).toEqual({
      status: 422,
      faults: ["rungs.HIGH[1].afterMinutes invalid"],
    });
    expect((await faultsOf({ rungs: { HIGH: [createStep(0, "push"), createStep(1, "voice")] } })).faults).toEqual([
      "rungs.HIGH[1].ways[0] way_not_configured",
    ]);
    expect((await faultsOf({ rungs: "HIGH" })).faults?.[0]).toMatch(/^rungs/);
    expect((await faultsOf({ rung: {} })).faults?.[0]).toMatch(/^rung/);
  });

  it("have warnings about channels without a device, and about a policy that escalates before a notification step is due", async () => {
    const targets = [{ type: "group", groupId: mine.groupId }];
    const steps = [{ delayMinutes: 5, targets }];
    const policy = await ask<{ id: string }>("POST", "/escalation-policies", { name: "Soon", steps });
    await ask("POST", "/routing-rules", {
      name: "Disks",
      eventKey: "disk.*",
      targets,
      requiresAck: true,
      escalationPolicyId: policy.body.id,
    });
    const { body } = await putRules({
      rungs: { HIGH: [createStep(0, "push"), createStep(4, "sms"), createStep(5, "push")] },
    });

    expect(listWarnings(body)).toContainEqual(["way_without_device", "rungs.HIGH[1].ways[0]"]);
    expect(body.warnings).toContainEqual(
      expect.objectContaining({
        code: "policy_moves_on",
        id: policy.body.id,
        field: "rungs.HIGH[2].afterMinutes",
      }) as object,
    );
    const ofPolicy = body.warnings?.filter(({ id }) => id === policy.body.id);
    expect(ofPolicy?.map(({ field }) => field)).toEqual(["rungs.HIGH[2].afterMinutes"]);
    const changed = await ask<Rules>("PATCH", `/escalation-policies/${policy.body.id}`, { name: "Sooner" });
    expect(listWarnings(changed.body)).toContainEqual(["policy_moves_on", alice]);
    const later = { steps: [{ delayMinutes: 6, targets }] };
    const slower = await ask<Rules>("PATCH", `/escalation-policies/${policy.body.id}`, later);
    expect(listWarnings(slower.body).map(([code]) => code)).not.toContain("policy_moves_on");
  });

  it("can be read by managers, but not by other members", async () => {
    expect((await ask<Rules>("GET", `${path}?userId=${bob}`)).body.userId).toBe(bob);
    expect((await ask("GET", `${path}?userId=usr_${"9".repeat(32)}`)).status).toBe(404);
    expect((await ask("GET", `${path}?userId=bob`)).status).toBe(422);

    await ask("PATCH", `/members/${bob}`, { role: "responder" });
    expect(await ask<Rules>("GET", `${path}?userId=${alice}`, undefined, bob)).toMatchObject({
      status: 403,
      body: { code: "role_required", required: "manager" },
    });
    expect((await ask("GET", `${path}?userId=${bob}`, undefined, bob)).status).toBe(200);
  });

  it("have a warning below the workspace's minimum for URGENT events, which must name a channel of the service", async () => {
    expect((await ask<Rules>("PATCH", "", { urgentFloor: { ways: ["voice"], withinMinutes: 5 } })).body.errors).toEqual(
      [expect.objectContaining({ field: "urgentFloor.ways[0]", code: "way_not_configured" })],
    );
    const floor = { ways: ["sms"], withinMinutes: 5 };
    expect(await ask("PATCH", "", { urgentFloor: floor })).toMatchObject({ status: 200, body: { urgentFloor: floor } });

    const { body } = await putRules({ rungs: { URGENT: [createStep(0, "push")] } });
    expect(body.urgentFloor).toEqual(floor);
    expect(listWarnings(body)).toContainEqual(["below_floor", "rungs.URGENT"]);
    expect(
      listWarnings((await putRules({ rungs: { URGENT: [createStep(0, "sms")] } })).body).map(([code]) => code),
    ).not.toContain("below_floor");
    expect(await ask("PATCH", "", { urgentFloor: null })).toMatchObject({ status: 200, body: { urgentFloor: null } });
    expect((await get<Rules>(path)).urgentFloor).toBeNull();
  });

  it("are deleted with the member", async () => {
    await putRules({ rungs: { LOW: [createStep(7, "push")] } }, bob);
    await ask("DELETE", `/members/${bob}`);
    await ask("POST", "/members", { userId: bob, name: "Bob", email: "bob@acme.example" });

    expect((await ask<Rules>("GET", path, undefined, bob)).body).toMatchObject({ version: 0, rungs: none });
  });
});
