import { afterAll, expect, it } from "vitest";
import type { OnCallReport } from "../../core/domain/shifts/report.ts";
import { runSweep } from "../../core/flow/sweep/sweep.ts";
import { isMonthClosed } from "../../core/store/schedules/closed-months.ts";
import { alice, bob } from "../support/people.ts";
import { startRota } from "../support/rota.ts";
import { startApp } from "../world/app.ts";

const app = await startApp();
afterAll(app.close);

const HOUR_MS = 3_600_000;
const MARCH = "?from=2027-03-01T00:00:00Z&to=2027-04-01T00:00:00Z";
const createSchedule = (...participants: string[]) => ({
  timeZone: "Europe/Berlin",
  layers: [{ start: "2026-01-05T09:00", every: 1, unit: "week", participants }],
});

/** Creates a workspace with an on-call rotation that began in January. */
const startReportRota = async () => {
  const rota = await startRota(app);
  await rota.put(createSchedule(alice, bob));
  await app.work();
  const readReport = async (query: string, as = alice) =>
    (await rota.ask<OnCallReport>("GET", `/on-call/report${query}`, as)).body;
  return { ...rota, report: readReport };
};

it("the sweeper closes a month's on-call report a day after the month has ended, so that later changes do not affect the report", async () => {
  const { ws, put, report } = await startReportRota();
  const untilDecember = Date.parse("2026-12-02T01:00:00Z") - app.deps.now();
  app.advance(untilDecember);
  await runSweep(app.deps, app.deps.now() + 60_000);
  expect(await isMonthClosed(app.deps, ws, "2026-11")).toBe(true);

  await put(createSchedule(bob));

  const november = await report("?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z");
  expect(new Set(november.items.map(({ person }) => person?.id))).toEqual(new Set([alice, bob]));
});

it("the sweeper closes no month that ended before the workspace was created", async () => {
  const { ws } = await startRota(app);
  app.advance(3 * HOUR_MS);
  await runSweep(app.deps, app.deps.now() + 60_000);

  expect(await isMonthClosed(app.deps, ws, "2026-11")).toBe(false);
});

it("only owners see amounts and rates of pay in the on-call report", async () => {
  const { ask, report } = await startReportRota();
  await ask("PATCH", `/members/${bob}`, alice, { role: "manager" });
  expect((await ask("PATCH", "", bob, { pay: { night: 1 } })).status).toBe(403);
  await ask("PATCH", "", alice, { pay: { night: 500 } });

  expect((await report("")).items.every(({ pay }) => pay !== undefined)).toBe(true);
  expect((await report("", bob)).items.some(({ pay }) => pay !== undefined)).toBe(false);
  expect((await ask<{ pay: unknown }>("GET", "")).body.pay).toMatchObject({ night: 500, weekday: 0 });
  expect((await ask<object>("GET", "", bob)).body).not.toHaveProperty("pay");
  const { body: trail } = await ask<object>("GET", "/audit?target=workspace");
  expect(JSON.stringify(trail)).not.toContain("500");
});

it("the on-call report counts a page in the first night of a month even before the previous month is closed", async () => {
  const { ask, send, report } = await startReportRota();
  const night = Date.parse("2027-01-01T00:30:00Z");
  if (app.deps.now() < night) app.advance(night - app.deps.now());
  const { eventId } = await send();
  app.advance(20 * 60_000);
  await ask("POST", `/events/${eventId}/resolve`, alice, {});
  for (let round = 0; round < 4; round += 1) {
    app.advance(2 * HOUR_MS);
    await runSweep(app.deps, app.deps.now() + 60_000);
  }

  const { items } = await report("?from=2026-12-31T00:00:00Z&to=2027-01-02T00:00:00Z");
  expect(items.filter(({ pages }) => pages > 0)).toMatchObject([{ pages: 1, pagesAtNight: 1, minutesToResolve: 20 }]);
});

it("past days of an open month in the on-call report follow the schedule that was in force then", async () => {
  const { ask, put, override, report, groupId } = await startReportRota();
  const from = encodeURIComponent(new Date(app.deps.now()).toISOString());
  const { body } = await override(alice, alice);
  app.advance(30 * HOUR_MS);
  const to = encodeURIComponent(new Date(app.deps.now()).toISOString());
  const readHours = async () =>
    (await report(`?from=${from}&to=${to}`)).items.map(({ person, hours: { total } }) => [person?.id, total]);
  const before = await readHours();
  app.advance(HOUR_MS);

  await put(createSchedule(bob));
  await ask("DELETE", `/groups/${groupId}/on-call/overrides/${body.id}`);
  await ask("DELETE", `/groups/${groupId}/members/${alice}`);

  expect(await readHours()).toEqual(before);
  expect(before).toContainEqual([alice, 8]);
});

it("the on-call report of a closed month never changes, even if schedule, members, groups or rates change", async () => {
  const { ask, put, override, report, groupId } = await startReportRota();
  await ask("PATCH", "", alice, { pay: { night: 500 } });
  app.advance(Date.parse("2027-04-03T00:00:00Z") - app.deps.now());
  const readReportTexts = async () =>
    Promise.all(
      ["", "&by=group", "&format=csv"].map(async (more) =>
        JSON.stringify((await ask<object>("GET", `/on-call/report${MARCH}${more}`)).body),
      ),
    );
  const before = await readReportTexts();

  await put(createSchedule(bob));
  await override(bob, alice);
  const { body: other } = await ask<{ id: string }>("POST", "/groups", alice, { name: "Other" });
  await ask("POST", `/groups/${other.id}/members`, alice, { userId: bob });
  await ask("PUT", `/groups/${other.id}/on-call`, alice, createSchedule(bob));
  await ask("PATCH", `/groups/${groupId}`, alice, { name: "Renamed" });
  await ask("PATCH", "", alice, { pay: { night: 900, weekday: 100 } });
  await ask("DELETE", `/members/${bob}?force=true`);

  expect(await readReportTexts()).toEqual(before);
  expect((await report(MARCH)).items.map(({ person, hours }) => [person?.name, hours.total])).toEqual([
    ["Bob", 343],
    [alice, 401],
  ]);
  expect((await report(MARCH)).closed).toMatchObject([{ month: "2027-03" }]);
  const parts = [MARCH.replace("04-01", "03-11"), MARCH.replace("03-01", "03-11")];
  const items = (await Promise.all(parts.map((part) => report(part)))).flatMap((one) => one.items);
  expect(items.reduce((sum, { hours }) => sum + hours.total, 0)).toBe(343 + 401);
});

it("the on-call report closes each past month that is still open, even if a later month is already closed", async () => {
  const { report } = await startReportRota();
  const later = Date.parse("2027-07-03T00:00:00Z");
  if (app.deps.now() < later) app.advance(later - app.deps.now());
  const listMonthsFrom = async (from: string) =>
    (await report(`?from=${from}T00:00:00Z&to=2027-07-01T00:00:00Z`)).closed.map(({ month }) => month);

  expect(await listMonthsFrom("2027-06-01")).toEqual(["2027-06"]);
  expect(await listMonthsFrom("2027-04-01")).toEqual(["2027-04", "2027-05", "2027-06"]);
});
