import { describe, expect, it } from "vitest";
import { chooseMessageGroup, type QueueMessage } from "../../../core/queue/group.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo, type World } from "../../world/world.ts";

const MINUTE = 60_000;

const groupsOf = (world: World, name: keyof World["queues"]): Set<string> => {
  const groups = new Set<string>();
  const { client } = world.queues[name].queue;
  const send = client.send.bind(client);
  client.send = (async (command: { input: { MessageGroupId?: string; Entries?: { MessageGroupId: string }[] } }) => {
    const { MessageGroupId: one, Entries = [] } = command.input;
    for (const group of [...(one === undefined ? [] : [one]), ...Entries.map(({ MessageGroupId }) => MessageGroupId)])
      groups.add(group);
    return send(command as never);
  }) as never;
  return groups;
};

const marker = { ws: "ws_1", eventId: "evt_1", due: 0, since: 0, tries: 0 };
const text = { title: "t", body: "b" };
const pack = { marker, packId: "p", userIds: ["usr_a"], sizes: [[0, 1]], text };

const groups: readonly [string, unknown, string][] = [
  ["an unfinished event", { kind: "unfinished", marker }, "ws_1"],
  ["a part of an unfinished event", { kind: "unfinished", marker: { ...marker, part: 0 } }, "ws_1.great"],
  ["the notification of an end", { kind: "over", ws: "ws_1", packId: "p", by: "usr_a", text }, "ws_1"],
  ...["grouped", "proof", "probe", "event", "line", "watch"].map((kind): [string, unknown, string] => [
    `a message of the kind ${kind}`,
    { kind, ws: "ws_1", packId: "p", marker: { ws: "ws_2" } },
    "ws_1",
  ]),
  ["a reply in the sender's queue", { Type: "Notification" }, "sns"],
  ["a delivery event in the sender's queue", { eventType: "Bounce", mail: {} }, "sns"],
  ["a step", { marker }, "ws_1"],
  ["a pack", pack, "ws_1"],
  ["an urgent pack", { ...pack, urgent: true }, "ws_1.urgent"],
  ["a pack that is expressly not urgent", { ...pack, urgent: false }, "ws_1"],
  [
    "a pack among 64 packs",
    {
      ...pack,
      sizes: [
        [0, 1],
        [1, 63],
      ],
    },
    "ws_1",
  ],
  [
    "a pack among 65 packs of two rules",
    {
      ...pack,
      sizes: [
        [0, 1],
        [1, 64],
      ],
    },
    "ws_1.great",
  ],
  ["an urgent pack of a plan part", { ...pack, urgent: true, marker: { ...marker, part: 3 } }, "ws_1.urgent.great"],
];

describe("the SQS message group of a message", () => {
  it.each(groups)("is chosen by workspace, urgency and number of people: for $0, it is `$2`", (_, message, group) => {
    expect(chooseMessageGroup(message as QueueMessage)).toBe(group);
  });

  it("is the workspace's id, in every queue", async () => {
    const world = await useWorld();
    const groupId = await world.group("Ops", ["usr_a", "usr_b"]);
    const escalationPolicyId = await world.policy([stepTo("usr_b", 1)]);
    await world.rule([groupId], { requiresAck: true, escalationPolicyId });
    const groups = (["events", "pushes", "escalations"] as const).map((name) => groupsOf(world, name));

    await world.post();
    await world.runFor(3 * MINUTE);

    expect(groups).toEqual([new Set([world.ws]), new Set([world.ws]), new Set([world.ws])]);
  });

  it("is a separate one for URGENT messages, whether the event or its rule sets that priority", async () => {
    const world = await useWorld();
    const groupId = await world.group("Ops", ["usr_a"]);
    await world.rule([groupId], { eventKey: "disk.full" });
    await world.rule([groupId], { eventKey: "disk.slow", priorityOverride: "CRITICAL" });
    const [events, pushes] = [groupsOf(world, "events"), groupsOf(world, "pushes")];

    await world.post({ priority: "URGENT" });
    expect([...events]).toEqual([`${world.ws}.urgent`]);

    await world.post({ event: "disk.slow" });
    await world.runFor(MINUTE);

    expect([...events]).toEqual([`${world.ws}.urgent`, world.ws]);
    expect([...pushes]).toEqual([`${world.ws}.urgent`]);
  });

  it("is a separate one for messages that notify more than a thousand people", async () => {
    const world = await useWorld();
    const people = Array.from({ length: 1030 }, (_, index) => `usr_${String(index).padStart(4, "0")}`);
    const groupId = await world.largeGroup(people, (userId) => [`${userId}-1`]);
    await world.rule([groupId]);
    const [events, pushes] = [groupsOf(world, "events"), groupsOf(world, "pushes")];

    await world.post();
    await world.runFor(MINUTE);

    expect([...events]).toEqual([world.ws, `${world.ws}.great`]);
    expect([...pushes]).toEqual([`${world.ws}.great`]);
    expect(world.pushed).toHaveLength(1030);
  });
});
