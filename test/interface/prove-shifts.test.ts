import { expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

type Workspace = { proveShifts?: { minutesBefore: number } | null };
type Now = { onCall: { userId: string; proven: boolean | null }[] };

const { app, mine, ask: call, get } = await startFilled();
const readOnCall = async () => (await get<Now>(`/groups/${mine.groupId}/on-call/now`)).onCall;

it("owners can set the reachability check from ten minutes to a day before a shift, and turn it off", async () => {
  expect((await call<Workspace>("GET", "")).body.proveShifts).toBeUndefined();

  const set = await call<Workspace>("PATCH", "", { proveShifts: { minutesBefore: 60 } });
  expect([set.status, set.body.proveShifts]).toEqual([200, { minutesBefore: 60 }]);

  for (const minutesBefore of [9, 1441, 30.5, "60"])
    expect((await call("PATCH", "", { proveShifts: { minutesBefore } })).status).toBe(422);
  expect((await call("PATCH", "", { proveShifts: { minutesBefore: 60 } }, bob)).status).toBe(403);
  expect((await call<Workspace>("PATCH", "", { proveShifts: null })).body.proveShifts).toBeNull();
});

it("a person without a device who comes on call is reported as unconfirmed at once, and nobody else is reported", async () => {
  await call("PATCH", "", { proveShifts: { minutesBefore: 60 } });
  await call("PUT", `/groups/${mine.groupId}/on-call`, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-01T00:00", every: 1, unit: "hour", participants: [alice, bob] }],
  });
  expect((await readOnCall()).map(({ proven }) => proven)).toEqual([null]);

  for (let minute = 0; minute < 62; minute += 1) {
    app.advance(60_000);
    await app.escalate();
  }

  const [now] = await readOnCall();
  expect(now?.proven).toBe(false);
});
