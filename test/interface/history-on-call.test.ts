import { afterAll, describe, expect, it } from "vitest";
import type { History } from "../../core/domain/planning/history.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { alice, bob } from "../support/people.ts";
import { startRota } from "../support/rota.ts";
import { startApp } from "../world/app.ts";

const app = await startApp();
afterAll(app.close);

const HOUR_MS = 3_600_000;

describe("a preview of on-call drafts over past events", () => {
  it("says who would have been notified by another schedule", async () => {
    const { ask, groupId, schedule, send } = await startRota(app);
    await send();

    const { body } = await ask<History>("POST", "/simulate/history", alice, {
      onCall: [{ groupId, schedule: schedule(bob) }],
    });

    expect(body).toMatchObject({ events: 1, moreTold: 1, lessTold: 1 });
    expect(body.people.map(({ userId, more, less }) => [userId, more, less])).toEqual([
      [bob, 1, 0],
      [alice, 0, 1],
    ]);
  });

  it("says who would have been notified with and without an override or a cover", async () => {
    const { ask, groupId, override, send } = await startRota(app);
    await override(bob, bob);
    await send();
    const listDifferingPeople = async (overrides: object[]) => {
      const body = { onCall: [{ groupId, overrides }] };
      return (await ask<History>("POST", "/simulate/history", alice, body)).body.people.map(({ userId }) => userId);
    };
    const [start, end] = [toIso(app.deps.now() - HOUR_MS), toIso(app.deps.now() + HOUR_MS)];

    expect((await listDifferingPeople([])).toSorted()).toEqual([alice, bob].toSorted());
    expect(await listDifferingPeople([{ userId: bob, start, end }])).toEqual([]);
    expect(await listDifferingPeople([{ userId: bob, start, end, insteadOf: alice }])).toEqual([]);
    expect((await listDifferingPeople([{ userId: bob, start, end, insteadOf: bob }])).toSorted()).toEqual(
      [alice, bob].toSorted(),
    );
  });

  it("is refused if it has no draft, or a draft for a group that the workspace does not have", async () => {
    const { ask, schedule } = await startRota(app);
    const readFault = async (body: object) =>
      (await ask<{ errors: { field: string; code: string }[] }>("POST", "/simulate/history", alice, body)).body
        .errors[0];

    expect(await readFault({})).toMatchObject({
      field: "rules",
      message: "rules or onCall must have at least one draft.",
    });
    expect(await readFault({ onCall: [{ groupId: "grp_none", schedule: schedule(bob) }] })).toMatchObject({
      field: "onCall[0].groupId",
      code: "unknown_reference",
    });
  });
});
