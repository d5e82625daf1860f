import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import {
  CalendarAddress,
  Cover,
  GroupOnCallNow,
  MyShift,
  OnCallNow,
  OnCallReport,
  Override,
  Schedule,
  WrittenSchedule,
} from "../shapes.ts";
import { createGroup, registerDevice } from "../world.ts";

export const onCall = [
  ...createSection("On-call", {
    "stores a schedule unchanged": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const path = `/groups/${groupId}/on-call`;
      expectProblem(await workspace.ask("GET", path), 404, "not_found");
      const participants = workspace.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "week", participants }];
      expectBody(await workspace.ask("PUT", path, { timeZone: "Europe/Berlin", layers }), 200, WrittenSchedule);
      const kept = await workspace.read(path, Schedule);
      assert.deepEqual([kept.timeZone, kept.layers], ["Europe/Berlin", layers]);
    },
    "lists who is on call for all groups in one request": async ({ fresh }) => {
      const workspace = await fresh();
      const scheduled = await createGroup(workspace, workspace.people);
      const empty = await createGroup(workspace);
      const participants = workspace.people.slice(0, 1).map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "week", participants }];
      await workspace.ask("PUT", `/groups/${scheduled}/on-call`, { timeZone: "UTC", layers });
      const path = "/on-call/now?at=2026-06-01T00:00:00Z";
      const groups = await workspace.read(path, v.array(GroupOnCallNow));
      assert.deepEqual(
        groups.map(({ groupId, at, onCall }) => [groupId, at, onCall.map(({ userId }) => userId)]),
        [
          [scheduled, "2026-06-01T00:00:00.000Z", participants],
          [empty, "2026-06-01T00:00:00.000Z", []],
        ],
      );
      expectFaults(await workspace.ask("GET", "/on-call/now?at=now"), "at");
    },
    "lists the caller's own shifts with their groups": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const participants = workspace.people.map(({ userId }) => userId);
      assert.deepEqual(await workspace.read("/on-call/mine", v.array(MyShift)), []);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "day", participants }];
      await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const shifts = await workspace.read("/on-call/mine", v.array(MyShift));
      assert.ok(shifts.length === 14 || shifts.length === 15, `${shifts.length} shifts in four weeks`);
      for (const { end, start, ...shift } of shifts) {
        assert.deepEqual(shift, { groupId, groupName: "conformance", inGroup: true });
        assert.equal(Date.parse(end ?? "") - Date.parse(start), 24 * 3_600_000);
      }
    },
    "counts the hours of a month by class, and keeps the report of a closed month unchanged": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const [first, second] = workspace.people.map(({ userId }) => userId);
      const path = `/groups/${groupId}/on-call`;
      const layers = [{ start: "2026-01-05T00:00", every: 1, unit: "day", participants: [first] }];
      await workspace.ask("PUT", path, { timeZone: "UTC", layers, holidays: ["2026-02-02"] });
      const month = "/on-call/report?from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z";
      const report = await workspace.read(month, OnCallReport);
      assert.deepEqual(
        report.items.map(({ person, hours }) => [person?.id, hours]),
        [[first, { weekday: 19 * 15, night: 19 * 9, weekend: 8 * 24, holiday: 24, total: 28 * 24 }]],
      );
      assert.deepEqual(
        report.closed.map((one) => one.month),
        ["2026-02"],
      );
      await workspace.ask("PUT", path, { timeZone: "UTC", layers: [{ ...layers[0], participants: [second] }] });
      assert.deepEqual(await workspace.read(month, OnCallReport), report);
      const csv = expectStatus(await workspace.ask("GET", `${month}&format=csv&by=group`), 200);
      assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
      assert.match(String(csv.body), /^id,group,weekday_hours,.*\r\ngrp_.*,672,0,0,,0,0,0\r\n$/);
      expectFaults(await workspace.ask("GET", "/on-call/report?by=rule"), "by");
      expectFaults(await workspace.ask("GET", "/on-call/report?format=pdf"), "format");
      expectFaults(await workspace.ask("GET", "/on-call/report?from=2020-01-01T00:00:00Z"), "from");
    },
    "opens a calendar feed by its URL alone, until the URL is renewed or revoked": async ({ fresh, client }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const participants = workspace.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "day", participants }];
      await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "Europe/Berlin", layers });
      for (const path of ["/on-call/mine/calendar", `/groups/${groupId}/on-call/calendar`]) {
        const first = expectBody(await workspace.ask("POST", path), 201, CalendarAddress);
        const readCalendar = async (url: string) => client("GET", new URL(url).pathname);
        const feed = expectStatus(await readCalendar(first.url), 200);
        assert.match(feed.headers.get("content-type") ?? "", /^text\/calendar/);
        assert.match(String(feed.body), /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT\r\n[^]*END:VCALENDAR\r\n$/);
        const second = expectBody(await workspace.ask("POST", path), 201, CalendarAddress);
        expectProblem(await readCalendar(first.url), 404, "not_found");
        expectStatus(await readCalendar(second.url), 200);
        expectStatus(await workspace.ask("DELETE", path), 204);
        expectProblem(await readCalendar(second.url), 404, "not_found");
        expectProblem(await workspace.ask("DELETE", path), 404, "not_found");
      }
      expectProblem(await client("GET", "/v1/calendars/cal_1_x.ics"), 404, "not_found");
    },
    "hands off at local time, also after the clocks change": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const [first, second] = workspace.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-03-23T09:00", every: 1, unit: "week", participants: [first, second] }];
      await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "Europe/Berlin", layers });
      const listOnCall = async (time: string) => {
        const answer = await workspace.ask("GET", `/groups/${groupId}/on-call/now?at=${time}`);
        return expectBody(answer, 200, OnCallNow).onCall.map(({ userId }) => userId);
      };
      // Berlin's UTC offset is +01:00 until 29 March 2026, and +02:00 afterwards.
      assert.deepEqual(await listOnCall("2026-03-23T07:59:59Z"), []);
      assert.deepEqual(await listOnCall("2026-03-23T08:00:00Z"), [first]);
      assert.deepEqual(await listOnCall("2026-03-30T06:59:59Z"), [first]);
      assert.deepEqual(await listOnCall("2026-03-30T07:00:00Z"), [second]);
    },
    "rotates by months between several people and nobody, until the layer ends": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const [first, second] = workspace.people.map(({ userId }) => userId);
      const participants = [[first, second], second, []];
      const layer = { start: "2026-01-31T09:00", until: "2026-06-15T12:00", every: 1, unit: "month", participants };
      const put = await workspace.ask("PUT", `/groups/${groupId}/on-call`, {
        timeZone: "Europe/Berlin",
        layers: [layer],
      });
      assert.deepEqual(expectBody(put, 200, WrittenSchedule).layers, [layer]);
      const listOnCall = async (time: string) => {
        const answer = await workspace.ask("GET", `/groups/${groupId}/on-call/now?at=${time}`);
        return expectBody(answer, 200, OnCallNow).onCall.map(({ userId }) => userId);
      };
      assert.deepEqual(await listOnCall("2026-02-28T07:59:59Z"), [first, second]);
      assert.deepEqual(await listOnCall("2026-02-28T08:00:00Z"), [second]);
      assert.deepEqual(await listOnCall("2026-03-31T07:00:00Z"), []);
      assert.deepEqual(await listOnCall("2026-04-30T07:00:00Z"), [first, second]);
      assert.deepEqual(await listOnCall("2026-06-15T09:59:59Z"), [second]);
      assert.deepEqual(await listOnCall("2026-06-15T10:00:00Z"), []);
    },
    "warns of people who are never on call; turns counted by duty leave nobody out": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const [first, second] = workspace.people.map(({ userId }) => userId);
      const participants = [first, first, first, first, first, second, second];
      const restrictions = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "00:00", to: "24:00" }];
      const layer = { start: "2026-01-05T00:00", every: 1, unit: "day", participants, restrictions };
      const putLayerAndListNeverOnDuty = async (layerChanges: object) => {
        const body = { timeZone: "UTC", layers: [{ ...layer, ...layerChanges }] };
        const { warnings } = expectBody(
          await workspace.ask("PUT", `/groups/${groupId}/on-call`, body),
          200,
          WrittenSchedule,
        );
        return warnings.filter(({ code }) => code === "never_on_duty").map(({ id }) => id);
      };
      assert.deepEqual(await putLayerAndListNeverOnDuty({}), [second]);
      assert.deepEqual(await putLayerAndListNeverOnDuty({ turns: "duty" }), []);
    },
    "prefers an override while it lasts": async ({ fresh, unique }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const [first, second] = workspace.people.map(({ userId }) => userId);
      // An override for a person without a device has no effect.
      for (const person of workspace.people.slice(1, 2))
        expectStatus(await registerDevice(workspace, person, unique("on-call")), 201);
      const layers = [{ start: "2026-01-05T00:00", every: 1, unit: "day", participants: [first] }];
      await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const body = { userId: second, start: "2026-06-01T00:00:00Z", end: "2026-06-02T00:00:00Z" };
      const path = `/groups/${groupId}/on-call`;
      const { id } = await workspace.create(`${path}/overrides`, body, Override);
      const listOnCall = async (time: string) =>
        (await workspace.read(`${path}/now?at=${time}`, OnCallNow)).onCall.map(({ userId }) => userId);
      assert.deepEqual(await listOnCall("2026-05-31T23:59:59Z"), [first]);
      assert.deepEqual(await listOnCall("2026-06-01T00:00:00Z"), [second]);
      assert.deepEqual(await listOnCall("2026-06-02T00:00:00Z"), [first]);
      expectStatus(await workspace.ask("DELETE", `${path}/overrides/${id}`), 204);
      assert.deepEqual(await listOnCall("2026-06-01T00:00:00Z"), [first]);
      expectProblem(await workspace.ask("DELETE", `${path}/overrides/${id}`), 404, "not_found");
    },
    "hands a shift to the colleague who takes it, until the cover is withdrawn": async ({ fresh, unique }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const [first, second] = workspace.people;
      assert.ok(first !== undefined && second !== undefined);
      for (const person of [first, second]) expectStatus(await registerDevice(workspace, person, unique("cover")), 201);
      const layers = [{ start: "2026-01-05T00:00", every: 1, unit: "day", participants: [first.userId] }];
      await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const toIsoInHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      const path = `/groups/${groupId}/on-call/covers`;
      const body = { userId: first.userId, start: toIsoInHours(48), end: toIsoInHours(50) };
      const { id, status, asked } = await workspace.create(path, body, Cover);
      assert.deepEqual([status, asked.some(({ userId }) => userId === second.userId)], ["open", true]);
      expectProblem(await workspace.as(first, "POST", `/covers/${id}/take`), 409, "cannot_cover");
      expectBody(await workspace.as(second, "POST", `/covers/${id}/decline`), 200, Cover);
      const taken = expectBody(await workspace.as(second, "POST", `/covers/${id}/take`), 200, Cover);
      assert.deepEqual([taken.status, taken.takenBy?.userId], ["taken", second.userId]);
      const now = await workspace.ask("GET", `/groups/${groupId}/on-call/now?at=${toIsoInHours(49)}`);
      assert.deepEqual(
        expectBody(now, 200, OnCallNow).onCall.map(({ userId }) => userId),
        [second.userId],
      );
      const mine = expectBody(await workspace.as(second, "GET", "/covers/mine"), 200, v.array(Cover));
      assert.deepEqual(mine, expectBody(await workspace.as(second, "GET", path), 200, v.array(Cover)));
      expectBody(await workspace.ask("POST", `/covers/${id}/withdraw`), 200, Cover);
      expectProblem(await workspace.as(second, "POST", `/covers/${id}/take`), 409, "cover_closed");
      expectProblem(
        await workspace.ask("POST", `/groups/${groupId}/on-call/covers`, { ...body, start: toIsoInHours(-1) }),
        422,
        "invalid_input",
      );
    },
    "keeps the turns of the others if a person is removed": async ({ fresh, session }) => {
      const workspace = await fresh();
      const { userId, name, email } = session.outsider;
      await workspace.ask("POST", "/members", { userId, name, email });
      const groupId = await createGroup(workspace, [...workspace.people, session.outsider]);
      const [first, second] = workspace.people.map((person) => person.userId);
      const layers = [{ start: "2026-01-01T00:00", every: 1, unit: "day", participants: [userId, first, second] }];
      await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const listOnCall = async (day: number) => {
        const at = `2026-01-${String(day).padStart(2, "0")}T12:00:00Z`;
        const answer = await workspace.ask("GET", `/groups/${groupId}/on-call/now?at=${at}`);
        return expectBody(answer, 200, OnCallNow).onCall.map((person) => person.userId);
      };
      assert.deepEqual([await listOnCall(2), await listOnCall(3), await listOnCall(5)], [[first], [second], [first]]);
      await workspace.ask("DELETE", `/members/${userId}`);
      assert.deepEqual([await listOnCall(2), await listOnCall(3), await listOnCall(5)], [[first], [second], [first]]);
    },
    "answers 422 to an invalid schedule, and names the field": async ({ acme, globex }) => {
      const groupId = await createGroup(acme);
      const putSchedule = (body: object) => acme.ask("PUT", `/groups/${groupId}/on-call`, body);
      expectFaults(await putSchedule({}), "timeZone", "layers");
      expectFaults(await putSchedule({ timeZone: "Mars/Base", layers: [] }), "timeZone");
      const layer = { start: "2026-01-05T09:00", every: 1, unit: "week", participants: [] };
      expectFaults(
        await putSchedule({
          timeZone: "UTC",
          layers: [{ ...layer, every: 0, unit: "year", turns: "all", until: "soon" }],
        }),
        "layers[0].every",
        "layers[0].unit",
        "layers[0].turns",
        "layers[0].until",
      );
      expectFaults(
        await putSchedule({ timeZone: "UTC", layers: [{ ...layer, until: "2026-01-05T09:00" }] }),
        "layers[0].until",
      );
      expectFaults(
        await putSchedule({ timeZone: "UTC", layers: [{ ...layer, participants: [[acme.owner.userId, 5]] }] }),
        "layers[0].participants[0][1]",
      );
      const foreign = { ...layer, participants: [globex.owner.userId, [acme.owner.userId, globex.owner.userId]] };
      expectFaults(
        await putSchedule({ timeZone: "UTC", layers: [foreign] }),
        "layers[0].participants[0]",
        "layers[0].participants[1][1]",
      );
      expectFaults(await acme.ask("GET", `/groups/${groupId}/on-call/now?at=yesterday`), "at");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "answers 404 to an unknown group on every path": async ({ acme }) => {
      const path = "/groups/grp_0000000000000000/on-call";
      expectProblem(await acme.ask("GET", path), 404, "not_found");
      expectProblem(await acme.ask("GET", `${path}/now`), 404, "not_found");
      expectProblem(await acme.ask("PUT", path, { timeZone: "UTC", layers: [] }), 404, "not_found");
    },
  }),
];
