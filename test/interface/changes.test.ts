import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { array, assert, asyncProperty, constantFrom, shuffledSubarray, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { setUsagePlan } from "../../core/store/events/control.ts";
import type { SourceName } from "../../core/domain/basics/source-name.ts";
import { createMatcher } from "../../functions/matcher.ts";
import { startFilled } from "../support/filled-app.ts";

/* Messages about an alert may arrive in any order. If the tool says when the alert changed, the newest change counts. */

const { app, mine, get, ask } = await startFilled();
await setUsagePlan(app.deps, mine.workspaceId, {
  monthlyEvents: 1e7,
  eventsPerMinute: 600_000,
  burst: 1_000_000,
  retentionDays: 400,
});

type State = "ALARM" | "OK";
const NOON = Date.UTC(2026, 10, 21, 9);
const timeAtMinute = (minute: number) => new Date(NOON + minute * 60_000).toISOString();
const alarmOf = (name: string, state: State, minute: number) => ({
  AlarmName: name,
  AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`,
  NewStateValue: state,
  StateChangeTime: timeAtMinute(minute).replace("Z", "+0000"),
});
const postToSource = async (source: SourceName, body: object) => {
  const answer = await app.ask<{ events: { eventId: string; deduplicated: boolean }[] }>(`/v1/events/from/${source}`, {
    method: "POST",
    apiKey: mine.key,
    body,
  });
  expect(answer.status).toBeLessThan(300);
  return answer.body.events[0]!;
};
const readState = async (eventId: string) => (await get<{ state: string }>(`/events/${eventId}`)).state;

let alarms = 0;
const createAlarmName = () => `alarm-${(alarms += 1)}`;
/** Sends changes, each of which is processed before the next. Returns the events' ids. */
const sendChanges = async (name: string, ...changes: [State, number][]) => {
  const events = [];
  for (const [state, minute] of changes) {
    events.push(await postToSource("cloudwatch", alarmOf(name, state, minute)));
    await app.work();
  }
  return events.map(({ eventId }) => eventId);
};
type Listed = { id: string; title: string }[];
const listOpenIds = async (name: string) => {
  const { items } = await get<{ items: Listed }>("/events?state=open&limit=100");
  return items.filter(({ title }) => title === name).map(({ id }) => id);
};

describe("a CloudWatch alarm", () => {
  it("is not ended by an older OK", async () => {
    const name = createAlarmName();

    const [alarm] = await sendChanges(name, ["ALARM", 5], ["OK", 3]);

    expect(await listOpenIds(name)).toEqual([alarm]);
  });

  it("that ended before the service received it is stored as ended, and pages nobody", async () => {
    const name = createAlarmName();
    const before = app.pushed.length;

    const [ok = "", alarm = ""] = await sendChanges(name, ["OK", 5], ["ALARM", 3]);
    const pushed = app.pushed.slice(before).filter(({ notification }) => notification.title === name);

    expect(await get(`/events/${alarm}`)).toMatchObject({ state: "resolved", resolvedBy: { id: ok } });
    expect(await listOpenIds(name)).toEqual([]);
    expect(pushed).toEqual([]);
  });

  it("that ended before the service received it stays ended, even if the matcher processes it after the OK", async () => {
    const name = createAlarmName();
    const { eventId } = await postToSource("cloudwatch", alarmOf(name, "ALARM", 3));
    const [late] = app.queued().Records;
    await sendChanges(name, ["OK", 5]);
    await createMatcher(app.deps)({ Records: [late!] });
    await app.work();

    expect(await readState(eventId)).toBe("resolved");
    expect(await listOpenIds(name)).toEqual([]);
  });

  it("is not ended by an older OK, even after DynamoDB has deleted the record of its changes", async () => {
    const name = createAlarmName();
    const [alarm] = await sendChanges(name, ["ALARM", 5]);
    const known = (await app.stand.listItems()).find(
      ({ pk, eventId }) => String(pk).includes("#DEDUPE#") && eventId === alarm,
    )!;
    const { name: TableName, client } = app.deps.table;
    await client.send(new DeleteCommand({ TableName, Key: { pk: known["pk"], sk: known["sk"] } }));

    await sendChanges(name, ["OK", 3]);
    expect(await listOpenIds(name)).toEqual([alarm]);
    await sendChanges(name, ["OK", 6]);
    expect(await listOpenIds(name)).toEqual([]);
  });

  it("pages again if it fires again before the matcher has processed its OK", async () => {
    const name = createAlarmName();
    const [first = ""] = await sendChanges(name, ["ALARM", 1]);
    await postToSource("cloudwatch", alarmOf(name, "OK", 2));
    const end = app.queued();
    const [second = ""] = await sendChanges(name, ["ALARM", 3]);

    await createMatcher(app.deps)(end);

    expect([await readState(first), await readState(second)]).toEqual(["resolved", "open"]);
  });

  it("pages again after its end, and an OK between the two alarms ends only the first", async () => {
    const name = createAlarmName();

    const [first = "", second = ""] = await sendChanges(name, ["ALARM", 1], ["OK", 2], ["ALARM", 3], ["OK", 2.5]).then(
      ([a, , b]) => [a, b],
    );

    expect([await readState(first), await readState(second)]).toEqual(["resolved", "open"]);
  });

  it("that repeats while it is open is not ended by an OK from before the repeat", async () => {
    const name = createAlarmName();

    const [first, again] = await sendChanges(name, ["ALARM", 1], ["ALARM", 3], ["OK", 2]);

    expect(again).toBe(first);
    expect(await listOpenIds(name)).toEqual([first]);
  });

  it("from a sender whose clock is ahead counts as changed at its arrival", async () => {
    const name = createAlarmName();
    const [first = ""] = await sendChanges(name, ["ALARM", 10_000_002]);
    app.advance(1000);
    await sendChanges(name, ["OK", 10_000_001]);
    app.advance(1000);

    const [again] = await sendChanges(name, ["ALARM", 10_000_000]);

    expect(await readState(first)).toBe("resolved");
    expect(await listOpenIds(name)).toEqual([again]);
  });

  it("ends in the state of its newest change, in whatever order and however often the changes arrive", async () => {
    const states = constantFrom<State>("ALARM", "OK");
    const cases = array(states, { minLength: 2, maxLength: 5 }).chain((changes) => {
      const all = changes.map((state, index): [State, number] => [state, index + 1]);
      const order = shuffledSubarray(all, { minLength: all.length });
      const repeated = shuffledSubarray(all, { maxLength: 2 });
      const pauses = array(tuple(constantFrom(true, false), constantFrom(0, 0, 11)), {
        minLength: all.length + 2,
        maxLength: all.length + 2,
      });
      return tuple(order, repeated, pauses);
    });
    await assert(
      asyncProperty(cases, async ([order, repeated, pauses]) => {
        const name = createAlarmName();
        for (const [index, [state, minute]] of [...order, ...repeated].entries()) {
          await postToSource("cloudwatch", alarmOf(name, state, minute));
          const [works, minutes] = pauses[index]!;
          if (works) await app.work();
          app.advance(minutes * 60_000);
        }
        await app.work();
        const [newest] = order.toSorted(([, one], [, other]) => other - one)[0]!;
        expect((await listOpenIds(name)).length > 0).toBe(newest === "ALARM");
        for (const id of await listOpenIds(name)) await ask("POST", `/events/${id}/resolve`, {});
      }),
      { numRuns: 25 },
    );
  });
});

describe("alerts of other tools", () => {
  const createAlert = (status: string, startsAt: number, endsAt: number, name: string) => ({
    alerts: [
      {
        status,
        labels: { alertname: name },
        startsAt: timeAtMinute(startsAt),
        endsAt: timeAtMinute(endsAt),
        fingerprint: name,
      },
    ],
  });
  const createWorkflowRun = (conclusion: string, minute: number, name: string) => ({
    action: "completed",
    workflow_run: {
      id: minute,
      name,
      workflow_id: name,
      head_branch: "main",
      conclusion,
      updated_at: timeAtMinute(minute),
    },
    repository: { full_name: "acme/shop" },
  });

  it.each(["alertmanager", "grafana"] as const)(
    "such as %s are stored as ended if their resolution arrives before their start",
    async (source) => {
      const name = createAlarmName();
      await postToSource(source, createAlert("resolved", 1, 4, name));
      await app.work();

      const { eventId } = await postToSource(source, createAlert("firing", 1, 0, name));
      await app.work();

      expect(await readState(eventId)).toBe("resolved");
    },
  );

  it("that are resolved without an end time, or with an end time before their start, end when the resolution is received", async () => {
    const name = createAlarmName();
    const { eventId } = await postToSource("alertmanager", createAlert("firing", 5, 0, name));
    await postToSource("alertmanager", createAlert("resolved", 5, 1, name));
    await app.work();

    expect(await readState(eventId)).toBe("resolved");
  });

  it("of GitHub stay open if the message about an older success arrives after the one about a newer failure", async () => {
    const name = createAlarmName();
    const { eventId } = await postToSource("github", createWorkflowRun("failure", 6, name));
    await postToSource("github", createWorkflowRun("success", 5, name));
    await app.work();
    expect(await readState(eventId)).toBe("open");

    await postToSource("github", createWorkflowRun("success", 7, name));
    await app.work();
    expect(await readState(eventId)).toBe("resolved");
  });
});

describe("a duplicate of an event that was sent to the API itself", () => {
  const sendWithPriority = (priority: string) =>
    app.ask<{ warnings?: object[] }>("/v1/events", {
      method: "POST",
      apiKey: mine.key,
      body: { event: "disk.full", title: "Disk full", body: "2 % left", dedupeKey: "disk-9", priority },
    });

  it("raises the event's priority if its own is higher, and its answer says so", async () => {
    await sendWithPriority("NORMAL");
    await app.work();
    const before = app.pushed.length;

    expect((await sendWithPriority("LOW")).body).not.toHaveProperty("warnings");
    expect(await sendWithPriority("HIGH")).toMatchObject({
      status: 200,
      body: { deduplicated: true, warnings: [{ field: "priority", code: "higher_priority" }] },
    });
    await app.work();
    await app.escalate();

    // Meanwhile, the escalations of the alarms above may also notify.
    const notified = app.pushed.slice(before).filter(({ notification }) => notification.title.endsWith("Disk full"));
    expect(notified.map(({ notification, data }) => [notification.title, data["priority"]])).toEqual([
      ["Worse: Disk full", "HIGH"],
    ]);
  });
});
