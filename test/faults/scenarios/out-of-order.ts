import { listEventsBetween } from "../../../core/store/events/events.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import type { EventPost } from "../clients.ts";
import { START } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const RETRY_MS = 1500;
/** The maximum number of tries: more than a client needs while a partition is throttled. */
const TRIES = 100;

type Change = { name: string; state: "ALARM" | "OK"; minute: number };

const bodyOf = ({ name, state, minute }: Change) => ({
  AlarmName: name,
  AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`,
  NewStateValue: state,
  StateChangeTime: new Date(START - 3_600_000 + minute * 60_000).toISOString(),
});

/** Repeats the change until it is answered, as SNS does. */
const send = async ({ clients, world, fixtures: [acme] }: Play, change: Change, after: number): Promise<void> => {
  await world.kernel.sleep(after);
  const { name, state } = change;
  const isAlarm = state === "ALARM";
  const entry: EventPost = {
    ws: acme!.ws,
    title: isAlarm ? name : `Resolved: ${name}`,
    dedupeKey: isAlarm ? `cloudwatch:${bodyOf(change).AlarmArn}` : undefined,
    sentAt: world.kernel.now(),
    answers: [],
  };
  clients.posts.push(entry);
  for (let round = 0; round < TRIES; round += 1) {
    const { status, body } = await world.http<{ events?: { eventId: string }[] }>("post-from-source", {
      headers: { "x-api-key": acme!.apiKey.key },
      path: { source: "cloudwatch" },
      body: bodyOf(change),
    });
    const eventId = body.events?.[0]?.eventId;
    entry.answers.push({ at: world.kernel.now(), status, eventId, deduplicated: false });
    if (status < 500 && status !== 409) return;
    await world.kernel.sleep(RETRY_MS);
  }
};

/** Checks that each alarm has the state of its newest change, in whatever order the changes came. */
const check = async ({ world, clients, fixtures: [acme] }: Play): Promise<string[]> => {
  const { events, open } = await world.outside(async (deps) => ({
    events: await listEventsBetween(deps, acme!.ws, { from: 0, to: 1000 }),
    open: new Set((await listOpenEvents(deps, acme!.ws, { limit: "all" })).map(({ eventId }) => eventId)),
  }));
  const listEventsOf = (name: string) => events.filter(({ content }) => content.title === name);
  const ended = listEventsOf("over").flatMap(({ eventId, life }) => [
    ...(life.resolved === undefined ? ["an alarm that ended is not resolved"] : []),
    ...(open.has(eventId) ? ["an alarm that ended is listed as open"] : []),
  ]);
  const again = listEventsOf("again").filter(({ eventId, life }) => life.resolved === undefined && open.has(eventId));
  const isTaken = clients.posts.some(
    ({ title, answers }) => title === "again" && answers.some(({ status }) => status < 300),
  );
  return [...ended, ...(isTaken && again.length === 0 ? ["an alarm that started again has no open event"] : [])];
};

export const outOfOrder: Scenario = {
  name: "out-of-order",
  about: "the start and the end of one alarm arrive at once, and so do the end and the next start of another",
  setup: async (deps) => [
    await buildWorkspace(deps, { rules: { alarms: { eventKey: "cloudwatch.firing", requiresAck: true } } }),
  ],
  play: async (play) => {
    await Promise.all([
      send(play, { name: "over", state: "OK", minute: 2 }, 0),
      send(play, { name: "over", state: "ALARM", minute: 1 }, 1),
      send(play, { name: "again", state: "ALARM", minute: 3 }, 2),
      send(play, { name: "again", state: "OK", minute: 2 }, 3),
    ]);
  },
  expectNotified: ({ eventKey }) => (eventKey === "cloudwatch.firing" ? [["alarms|alice"]] : [[]]),
  check,
};
