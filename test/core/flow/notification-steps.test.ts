import { describe, expect, it } from "vitest";
import type { ScheduledStepsView } from "../../../core/domain/people/notification-rules.ts";
import * as v from "valibot";
import { toIso } from "../../../core/domain/basics/time.ts";
import { DryRunInput } from "../../../core/domain/planning/dry-run.ts";
import { SimulationInput } from "../../../core/domain/planning/simulation.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { simulateEvent } from "../../../core/flow/read/simulate.ts";
import { tryRules } from "../../../core/flow/read/try-rules.ts";
import { computeLatestStepTime } from "../../../core/flow/notify/claim-pack.ts";
import { toPageMessages } from "../../../core/flow/notify/page-later.ts";
import { processReport } from "../../../core/flow/respond/report-notification.ts";
import { putNotificationRules, setUrgentFloor } from "../../../core/store/people/notification-rules.ts";
import { useWorld } from "../../world/use-world.ts";
import { listNewestPacks } from "../../world/newest-packs.ts";
import { listMarkers, stepTo, type WorldOptions } from "../../world/world.ts";
import {
  SECOND,
  MINUTE,
  HOUR,
  addEmail,
  everyPriority,
  createRules,
  setUp,
  listMessages,
} from "./notification-step-world.ts";

const PUSH_THEN_MAIL: readonly [number, string][] = [
  [0, "push"],
  [5, "email"],
];

it.each([
  ["behind", -8_000, 0],
  ["ahead", 8_000, 8_000],
])(
  "the message of a due notification step starts that step even if the sender's clock is %s",
  (_clock, skewMs, laterMs) => {
    const due = 1_700_000_000_000;
    const packId = "1m7yzmhg0u00000001000000000";
    const marker = { ws: "ws_acme" as const, eventId: "evt_1", due, since: due, tries: 0, ring: { packId } };

    expect(computeLatestStepTime({ now: () => due + skewMs }, { marker, packId })).toBe(due + laterMs);
  },
);

describe("a person's notification steps", () => {
  it("notify the person by each step's channels at the step's time, until somebody acknowledges", async () => {
    const world = await setUp(
      createRules({
        HIGH: [
          [0, "push"],
          [5, "push", "email"],
          [20, "push"],
          [40, "email"],
        ],
      }),
    );

    await world.post({ priority: "HIGH" });
    await world.runFor(30 * MINUTE);
    await world.acknowledgeNewest("usr_ann");
    await world.runFor(HOUR);

    expect(listMessages(world).toSorted()).toEqual([
      "0 usr_ann push",
      "0 usr_bob push",
      "1200 usr_ann push",
      "300 usr_ann email",
      "300 usr_ann push",
    ]);
    const pushes = world.pushed.filter(({ userId }) => userId === "usr_ann");
    expect(pushes.map(({ message }) => message.data["again"])).toEqual([undefined, "true", "true"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("that are due at the same time by two rules notify the recipients of both rules", async () => {
    const world = await setUp(createRules(everyPriority(PUSH_THEN_MAIL)));
    await world.rule([await world.group("Second", ["usr_cleo"])], { name: "Second", requiresAck: true });
    await addEmail(world, "usr_cleo");
    await putNotificationRules(world.deps, world.ws, "usr_cleo", createRules(everyPriority(PUSH_THEN_MAIL)));
    await world.post();

    await world.runFor(5 * MINUTE + SECOND);

    const mails = listMessages(world).filter((message) => message.endsWith("email"));
    expect(mails.toSorted()).toEqual(["300 usr_ann email", "300 usr_cleo email"]);
  });

  it("end when another person acknowledges the event", async () => {
    const world = await setUp(createRules({ HIGH: PUSH_THEN_MAIL }));

    await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    await world.acknowledgeNewest("usr_bob");
    await world.runFor(HOUR);

    expect(listMessages(world)).toHaveLength(2);
    expect(listMarkers(world)).toEqual([]);
  });

  it("continue when another person acknowledges only the notification of another rule", async () => {
    const steps = createRules(
      everyPriority([
        [0, "push"],
        [5, "email"],
      ]),
    );
    const world = await setUp(steps);
    await world.rule([await world.group("Net", ["usr_carl"])], { name: "Net", requiresAck: true });
    await world.post();
    await world.work();

    await world.acknowledgeNewest("usr_carl");
    await world.runFor(6 * MINUTE);

    expect(listMessages(world).filter((line) => line.includes("ann"))).toEqual(["0 usr_ann push", "300 usr_ann email"]);
  });

  it("continue after the notification was opened, because that is not an acknowledgement", async () => {
    const world = await setUp(createRules({ HIGH: PUSH_THEN_MAIL }));

    await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    const [mine] = (await world.notifications()).filter(({ userId }) => userId === "usr_ann");
    await processReport(world.deps, world.ws, mine!.notificationId, "OPENED");
    await world.runFor(HOUR);

    expect(listMessages(world)).toContain("300 usr_ann email");
  });

  const PHONES: [number, string][] = [
    [0, "voice"],
    [5, "sms"],
  ];
  const SMS_THEN_MAIL: [number, string][] = [
    [0, "sms"],
    [5, "email"],
  ];
  const ALL_AT_ONCE = ["0 usr_ann email", "0 usr_ann push", "0 usr_bob push"];

  it.each([
    ["for another priority are replaced by a notification on every device", { NORMAL: PUSH_THEN_MAIL }, ALL_AT_ONCE],
    ["that reach no device are replaced by a notification on every device", { HIGH: PHONES }, ALL_AT_ONCE],
    [
      "that reach no device are replaced by the next step that reaches one",
      { HIGH: SMS_THEN_MAIL },
      ["0 usr_ann email", "0 usr_bob push", "300 usr_ann email"],
    ],
  ])("are chosen by priority and by reachable device: steps %s", async (_, steps, expected) => {
    const world = await setUp(createRules(steps));

    await world.post({ priority: "HIGH" });
    await world.runFor(HOUR);

    expect(listMessages(world).toSorted()).toEqual(expected);
    expect(listMarkers(world)).toEqual([]);
  });

  it("continue after the first step only if an acknowledgement is required", async () => {
    const world = await setUp(createRules({ HIGH: PUSH_THEN_MAIL }), { requiresAck: false });

    await world.post({ priority: "HIGH" });
    await world.runFor(HOUR);

    expect(listMessages(world).toSorted()).toEqual(["0 usr_ann push", "0 usr_bob push"]);
  });

  it("set a notification to SENT if a later step succeeds after the first step failed", async () => {
    const world = await setUp(
      createRules(everyPriority(PUSH_THEN_MAIL)),
      {},
      {
        answer: (message) =>
          "token" in message && message.token === "usr_ann-1"
            ? { kind: "invalid", code: "INVALID_ARGUMENT" }
            : { kind: "accepted", messageId: "m" },
      },
    );
    const statusOfAnn = async () => (await world.notifications()).find(({ userId }) => userId === "usr_ann")?.status;

    await world.post();
    await world.runFor(MINUTE);
    expect(await statusOfAnn()).toBe("FAILED");

    await world.runFor(5 * MINUTE);
    expect(await statusOfAnn()).toBe("SENT");
    expect(listMessages(world)).toContain("300 usr_ann email");
  });

  it("send each email once, even if the push of an earlier step is accepted after the email", async () => {
    let isRefused = true;
    const answer: WorldOptions["answer"] = (message) =>
      isRefused && "token" in message && message.token === "usr_ann-1"
        ? { kind: "retry", code: "UNAVAILABLE" }
        : { kind: "accepted", messageId: "m" };
    const world = await setUp(createRules(everyPriority(PUSH_THEN_MAIL)), {}, { answer });

    await world.post();
    await world.runFor(8 * MINUTE);
    isRefused = false;
    await world.runFor(2 * MINUTE);

    expect(listMessages(world).filter((message) => message.endsWith("email"))).toEqual(["300 usr_ann email"]);
  });

  it("mark their messages as urgent if the event is URGENT, so that they are sent before other waiting messages", async () => {
    const world = await setUp(createRules(everyPriority([[5, "push"]])));
    const { eventId } = await world.post({ priority: "URGENT" });
    await world.work();
    const [pack] = await listNewestPacks(world.deps, world.ws, 1);
    const due = world.start + 5 * MINUTE;
    const marker = { ws: world.ws, eventId, due, since: due, tries: 0, ring: { packId: pack!.packId } };

    expect(await toPageMessages(world.deps, marker)).toMatchObject([{ rings: true, urgent: true }]);
  });

  it("are sent by the sweeper at the exact second if the delay is too long for SQS", async () => {
    const world = await setUp(createRules(everyPriority([[60, "push"]])));

    await world.post();
    await world.runFor(2 * HOUR);

    expect(listMessages(world)).toEqual(["0 usr_bob push", "3600 usr_ann push"]);
  });

  it("count their minutes from the start of the escalation step that notifies the person", async () => {
    const world = await useWorld();
    const [bob, ann] = [await world.group("First", ["usr_bob"]), await world.group("Second", ["usr_ann"])];
    await addEmail(world, "usr_ann");
    const escalationPolicyId = await world.policy([stepTo(ann, 5)]);
    await world.rule([bob], { requiresAck: true, escalationPolicyId });
    await putNotificationRules(
      world.deps,
      world.ws,
      "usr_ann",
      createRules(
        everyPriority([
          [0, "push"],
          [2, "email"],
        ]),
      ),
    );

    await world.post();
    await world.runFor(HOUR);

    expect(listMessages(world)).toEqual(["0 usr_bob push", "300 usr_ann push", "420 usr_ann email"]);
    expect(listMarkers(world)).toEqual([]);
  });
});

describe("the predicted pages of a person", () => {
  it("are sent at exactly the times that the simulation, dry run, notification and explanation give", async () => {
    const rules = createRules({
      HIGH: [
        [0, "push"],
        [5, "email"],
        [20, "push", "email"],
      ],
    });
    const world = await setUp(rules);
    const { deps, ws } = world;
    const event = { event: "disk.full", title: "Disk full", body: "db-1", priority: "HIGH" };

    const simulated = await simulateEvent(deps, ws, v.parse(SimulationInput, { event }));
    const tried = await tryRules(deps, ws, v.parse(DryRunInput, { event }));
    const { eventId } = await world.post({ priority: "HIGH" });
    await world.runFor(HOUR);
    const explained = await explainEvent(deps, ws, eventId, "usr_ann");

    const pagesIn = (rules: { recipients: { userId: string; rings: ScheduledStepsView }[] }[]) =>
      rules.flatMap(({ recipients }) => recipients).find(({ userId }) => userId === "usr_ann")?.rings;
    const pages = [
      { at: toIso(world.start), ways: ["push"] },
      { at: toIso(world.start + 5 * MINUTE), ways: ["email"] },
      { at: toIso(world.start + 20 * MINUTE), ways: ["push", "email"] },
    ];
    expect(pagesIn(simulated.rules)).toEqual(pages);
    expect(pagesIn(tried.rules)).toEqual(pages);
    expect(explained?.rules[0]?.notifications[0]?.rings).toEqual(pages);
    expect(
      listMessages(world)
        .filter((line) => line.includes("usr_ann"))
        .toSorted(),
    ).toEqual(["0 usr_ann push", "1200 usr_ann email", "1200 usr_ann push", "300 usr_ann email"]);
  });
});

describe("the workspace's minimum for URGENT notification steps", () => {
  it("adds a notification, by its channels and at its time, to the person's own steps", async () => {
    const world = await setUp(
      createRules(
        everyPriority([
          [0, "push"],
          [30, "email"],
        ]),
      ),
    );
    await setUrgentFloor(world.deps, world.ws, { ways: ["email"], withinMinutes: 10 });

    await world.post({ priority: "URGENT" });
    await world.runFor(HOUR);

    expect(listMessages(world)).toEqual([
      "0 usr_ann push",
      "0 usr_bob push",
      "600 usr_ann email",
      "1800 usr_ann email",
    ]);
  });
});

describe("a person without notification steps", () => {
  it("causes no additional read or write when an event is processed", async () => {
    const measureUnits = async (isSet: boolean) => {
      const world = await useWorld();
      const group = await world.group("Ops", ["usr_ann", "usr_bob"]);
      await world.rule([group], { requiresAck: true });
      // The owner, whom the event does not notify, has notification rules.
      if (isSet)
        await putNotificationRules(world.deps, world.ws, "usr_owner", createRules(everyPriority([[0, "push"]])));
      await world.post();
      await world.work();
      world.usedUnits();
      await world.post();
      await world.work();
      return world.usedUnits();
    };

    const [unset, set] = [await measureUnits(false), await measureUnits(true)];
    expect(set).toEqual(unset);
  });
});
