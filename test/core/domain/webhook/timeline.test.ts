import { describe, expect, it } from "vitest";
import type { FrozenPlan } from "../../../../core/domain/delivery/delivery-plan.ts";
import { toNotificationView, type NotificationView } from "../../../../core/domain/delivery/notification-view.ts";
import type { Lifecycle } from "../../../../core/domain/event/lifecycle.ts";
import type { PlannedEvent } from "../../../../core/domain/event/stored-event.ts";
import {
  appendEntries,
  listTimelineEntries,
  formatEventMessageId,
  buildEventMessage,
  type TimelineEntry,
} from "../../../../core/domain/webhook/timeline.ts";
import { ADDED_RULE } from "../../../../core/domain/delivery/added.ts";
import { aPack, aRecipient } from "../support.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const opened: TimelineEntry = { name: "opened", type: "event.opened", at: NOON, told: NOON + 1_000, state: "open" };
const resolved = { name: "resolved", type: "event.resolved" as const, at: NOON + 500, state: "resolved" };

describe("a webhook timeline to which an entry is added", () => {
  it.each([
    ["the new entry with the current time", NOON + 5_000, NOON + 5_000],
    ["the new entry with the time of the previous entry, if the clock is behind that time", NOON + 400, NOON + 1_000],
  ])("has %s", (_how, now, told) => {
    expect(appendEntries([opened], [resolved], now)).toEqual([opened, { ...resolved, told }]);
  });

  it("contains no entry twice, however the event changes later", () => {
    const { told: _told, ...again } = { ...opened, type: "event.opened" as const, state: "none" };

    expect(appendEntries([opened], [again, resolved], NOON + 5_000)).toEqual([
      opened,
      { ...resolved, told: NOON + 5_000 },
    ]);
  });
});

const plan: FrozenPlan = {
  at: NOON,
  rulesVersion: 1,
  peopleVersion: 1,
  matched: 1,
  parts: [{ rule: 0, pack: 0 }],
  body: { rule: 0, pack: 0, rules: [] },
};

const anEvent = (life: Partial<Lifecycle> = {}, fields: Partial<FrozenPlan> = {}): PlannedEvent => ({
  eventId: "evt_1",
  workspaceId: "ws_1",
  seq: 1,
  receivedAt: NOON - SECOND,
  rulesVersion: 1,
  peopleVersion: 1,
  content: { eventKey: "disk.full", title: "Disk full", body: "db-1", priority: "HIGH" },
  notifications: 1,
  life: { needsAck: true, acknowledged: undefined, resolved: undefined, ...life },
  plan: { ...plan, ...fields },
});

const ann = { id: "usr_ann", name: "Ann" };
const aNotification = (
  fields: Parameters<typeof aRecipient>[0] = {},
  pack: Parameters<typeof aPack>[0] = {},
): NotificationView => toNotificationView(aPack({ requiresAck: true, ...pack }), aRecipient(fields));
const failed = aNotification({ status: "FAILED", sentAt: undefined, failedReason: "No registered devices for user" });
const acknowledgedAt = (at: number) =>
  aNotification({ status: "ACKNOWLEDGED", acknowledgedAt: at, acknowledgedBy: ann });

const linesOf = (
  event: PlannedEvent,
  notifications: readonly NotificationView[] = [],
  fired: Parameters<typeof listTimelineEntries>[0]["fired"] = [],
) =>
  listTimelineEntries({ event, notifications, fired }).map(
    ({ name, type, at, state, by }) => `${name}: ${type} ${at - NOON} ${state}${by === undefined ? "" : ` ${by.name}`}`,
  );

const OPENED = "opened: event.opened 0 open";
const firedStep = (rule: number, cursor: number, seconds: number) => ({
  rule,
  cursor,
  at: NOON + seconds * SECOND,
  recipients: [],
});
const addition = { by: ann, once: "1", priority: "HIGH" as const, requiresAck: true };

describe("the webhook timeline of an event", () => {
  it.each<[string, Partial<FrozenPlan>, string[]]>([
    ["is empty while a silence holds the event back", { silence: { id: "sil_1", name: "Night", recipients: 0 } }, []],
    ["is empty while the event is held back as flapping", { flapping: { until: NOON, held: [1] } }, []],
    [
      "is empty if under each of its rules another event of its group of events pages",
      { groups: [{ rule: 0, key: "k", into: "evt_0" }] },
      [],
    ],
    [
      "is empty if all its rules are below their thresholds",
      { groups: [{ rule: 0, key: "k", below: { count: 1, of: 5 } }] },
      [],
    ],
    [
      "has the opening if one of its rules pages",
      { matched: 2, groups: [{ rule: 0, key: "k", into: "evt_0" }] },
      [OPENED],
    ],
    ["has the opening if it pages for its group of events", { groups: [{ rule: 0, key: "k" }] }, [OPENED]],
    ["has the opening if nothing holds the event back", {}, [OPENED]],
  ])("%s", (_what, fields, lines) => {
    expect(linesOf(anEvent({}, fields), [aNotification()])).toEqual(lines);
  });

  it("does not say that an acknowledgement is awaited if none is required", () => {
    expect(linesOf(anEvent({ needsAck: false }), [aNotification()])).toEqual(["opened: event.opened 0 none"]);
  });

  it("has each escalation step, manual escalation (with its author) and raised priority, but no added recipients", () => {
    const fired = [
      firedStep(0, 1, 60),
      { ...firedStep(ADDED_RULE, 1, 30), addition: { ...addition, because: "escalated" as const } },
      { ...firedStep(ADDED_RULE, 2, 40), addition: { ...addition, because: "told" as const } },
      { ...firedStep(ADDED_RULE, 3, 50), addition: { ...addition, because: "raised" as const } },
      firedStep(ADDED_RULE, 4, 50),
    ];

    expect(linesOf(anEvent(), [aNotification()], fired)).toEqual([
      OPENED,
      `escalated ${ADDED_RULE} 1: event.escalated 30000 open Ann`,
      `escalated ${ADDED_RULE} 3: event.escalated 50000 open Ann`,
      "escalated 0 1: event.escalated 60000 open",
    ]);
    expect(
      linesOf(anEvent({ acknowledged: { at: NOON + 40 * SECOND, ...ann } }), [aNotification()], fired.slice(1)),
    ).toEqual([
      OPENED,
      `escalated ${ADDED_RULE} 1: event.escalated 30000 open Ann`,
      "acknowledged 0: event.acknowledged 40000 acknowledged Ann",
      `escalated ${ADDED_RULE} 3: event.escalated 50000 acknowledged Ann`,
    ]);
  });

  it("has the acknowledgement of the event or of a notification, with the person who acknowledged", () => {
    const line = "acknowledged 0: event.acknowledged 5000 acknowledged Ann";

    expect(linesOf(anEvent({ acknowledged: { at: NOON + 5_000, ...ann } }), [aNotification()])).toEqual([OPENED, line]);
    expect(linesOf(anEvent(), [acknowledgedAt(NOON + 5_000)])).toEqual([OPENED, line]);
  });

  it("has the reopening, after which another acknowledgement is a new entry", () => {
    const reopened = { at: NOON + 5_000, on: NOON + 10_000, until: NOON + 10_000, ...ann };

    expect(linesOf(anEvent({ reopened, acknowledged: { at: NOON + 20_000, ...ann } }), [aNotification()])).toEqual([
      OPENED,
      `opened ${NOON + 10_000}: event.opened 10000 open`,
      `acknowledged ${NOON + 10_000}: event.acknowledged 20000 acknowledged Ann`,
    ]);
  });

  it.each<[string, NotificationView[], Partial<Lifecycle>, number, boolean]>([
    ["says that nobody was reached if every notification has failed", [failed, failed], {}, 2, true],
    ["says that nobody was reached if there was nobody to notify", [], {}, 0, true],
    ["does not say that nobody was reached if one notification was sent", [failed, aNotification()], {}, 2, false],
    ["does not say that nobody was reached while one notification is not stored yet", [failed], {}, 2, false],
    [
      "does not say that nobody was reached if somebody acknowledged the event anyway",
      [failed],
      { acknowledged: { at: NOON + 1, ...ann } },
      1,
      false,
    ],
    [
      "does not say that nobody was reached if the event was resolved meanwhile",
      [failed],
      { resolved: { at: NOON + 1, ...ann } },
      1,
      false,
    ],
  ])("%s", (_what, notifications, life, written, unreached) => {
    const event = { ...anEvent(life), notifications: written };

    expect(linesOf(event, notifications).includes("unreached: event.unreached 0 open")).toBe(unreached);
  });

  it("says after the last step that nobody was reached", () => {
    expect(linesOf(anEvent(), [failed], [firedStep(0, 1, 60)])).toEqual([
      OPENED,
      "escalated 0 1: event.escalated 60000 open",
      "unreached: event.unreached 60000 open",
    ]);
  });

  it("ends with an entry for the end of the event, with the person who ended it", () => {
    const resolved = { at: NOON - 5_000, id: "usr_bob", name: "Bob", note: "Restarted" };
    const expired = { at: NOON + 30 * 86_400_000, round: "r" };

    expect(linesOf(anEvent({ resolved }), [aNotification()], [firedStep(0, 1, 60)])).toEqual([
      OPENED,
      "escalated 0 1: event.escalated 60000 open",
      "resolved: event.resolved -5000 resolved Bob",
    ]);
    expect(linesOf(anEvent({ expired }), [aNotification()])).toEqual([
      OPENED,
      "resolved: event.resolved 2592000000 expired",
    ]);
  });
});

describe("a webhook message about an event", () => {
  it("has one id per event and timeline entry", () => {
    expect(formatEventMessageId("evt_1", 3)).toBe("msg_evt_1_3");
  });

  it("says what happened to which event, without the event's data", () => {
    const event = anEvent();
    const content = { ...event.content, url: "https://x.example", dedupeKey: "d", data: { secret: "s" }, detail: "t" };

    expect(JSON.parse(buildEventMessage({ ...event, content }, { ...opened, by: ann }, 2))).toEqual({
      type: "event.opened",
      timestamp: "2026-11-21T12:00:00.000Z",
      data: {
        sequence: 2,
        workspaceId: "ws_1",
        eventId: "evt_1",
        eventKey: "disk.full",
        title: "Disk full",
        body: "db-1",
        priority: "HIGH",
        url: "https://x.example",
        dedupeKey: "d",
        createdAt: "2026-11-21T11:59:59.000Z",
        state: "open",
        by: ann,
      },
    });
  });

  it("has null for an absent URL, dedupeKey or person", () => {
    expect(JSON.parse(buildEventMessage(anEvent(), opened, 1))).toMatchObject({
      data: { url: null, dedupeKey: null, by: null },
    });
  });
});
