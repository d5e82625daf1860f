import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { spawnService, type SpawnedService } from "../local/spawn.ts";
import { showCall } from "./demo-call.ts";
import { showMove } from "./demo-move.ts";
import { showSlackChannel } from "./demo-slack.ts";
import { Accepted, openDemoWorkspace } from "./demo-workspace.ts";
import { waitForValue } from "./wait-for.ts";

/** A region that no other part of the demo uses. */
const ELSEWHERE = "eu-west-2";

const {
  room,
  move,
  "calls-elsewhere": callsElsewhere,
} = readArguments(
  "npm run demo              starts the local service, follows one event to its acknowledgement and another to a telephone, and stops\n" +
    "npm run demo -- --room    the same for the team's room: a channel of Slack and a webhook follow one event\n" +
    "npm run demo -- --move    shows a move from Opsgenie: an export is imported, replayed, applied, and compared in a shadow\n" +
    `npm run demo -- --calls-elsewhere    calls are made from another region, ${ELSEWHERE}`,
  { room: { type: "boolean" }, move: { type: "boolean" }, "calls-elsewhere": { type: "boolean" } },
);

const Rules = v.array(v.object({ id: v.string(), name: v.string() }));
const EventView = v.object({
  receivedAt: v.string(),
  matched: v.boolean(),
  matchedRules: v.array(v.looseObject({ name: v.string() })),
  notifications: v.array(
    v.object({
      id: v.string(),
      status: v.string(),
      createdAt: v.string(),
      sentAt: v.nullable(v.string()),
      acknowledgedAt: v.nullable(v.string()),
      user: v.object({ id: v.string(), name: v.string() }),
    }),
  ),
});
const Inbox = v.object({
  messages: v.array(
    v.object({
      receivedAt: v.string(),
      token: v.string(),
      message: v.looseObject({ notification: v.optional(v.looseObject({ title: v.optional(v.string()) })) }),
    }),
  ),
});

const printLine = (line: string): void => console.log(line);

const showDemo = async (service: SpawnedService): Promise<void> => {
  const { root, ask } = openDemoWorkspace(service);
  const startedAt = Date.now();
  const printStep = (name: string, time: string | number, text: string): void => {
    const after = new Date(time).getTime() - startedAt;
    printLine(`${String(Math.max(0, after)).padStart(6)} ms  ${name.padEnd(13)} ${text}`);
  };

  const title = "Order 1042 failed";
  const event = { event: "order.failed", title, body: "Payment was declined twice.", priority: "HIGH" };
  const { eventId } = await ask(Accepted, "POST", "/v1/events", event);
  const answeredAfter = Date.now() - startedAt;
  const path = `${root}/events/${eventId}`;
  const readEvent = () => ask(EventView, "GET", path);
  printStep("received", (await readEvent()).receivedAt, `${eventId}, answered 201 after ${answeredAfter} ms`);

  const matched = await waitForValue("a match", async () => {
    const view = await readEvent();
    return view.matched && view.notifications.length > 0 ? view : undefined;
  });
  const rules = await ask(Rules, "GET", `${root}/routing-rules`);
  const names = matched.matchedRules.map(({ name }) => `"${name}"`).join(", ");
  const [first] = matched.notifications;
  printStep("matched", first?.createdAt ?? Date.now(), `by ${names}, of ${rules.length} rule(s)`);
  printStep("for", first?.createdAt ?? Date.now(), matched.notifications.map(({ user }) => user.name).join(" and "));

  const pushes = await waitForValue("a push to every phone", async () => {
    const { messages } = v.parse(Inbox, await service.control("GET", "/inbox"));
    const ours = messages.filter(({ message }) => message.notification?.title === title);
    return ours.length >= matched.notifications.length ? ours : undefined;
  });
  for (const { receivedAt, token } of pushes) printStep("pushed", receivedAt, `to ${token}`);

  const [mine] = matched.notifications;
  if (mine === undefined) throw new Error("nobody got a notification");
  await ask(v.unknown(), "PATCH", `${root}/notifications/${mine.id}`, { status: "ACKNOWLEDGED" });
  const acknowledged = await waitForValue("the acknowledgement", async () =>
    (await readEvent()).notifications.find(({ id, acknowledgedAt }) => id === mine.id && acknowledgedAt !== null),
  );
  printStep("acknowledged", acknowledged.acknowledgedAt ?? Date.now(), `by ${acknowledged.user.name}`);
};

const dir = mkdtempSync(join(tmpdir(), "event-alerting-demo-"));
let service: SpawnedService | undefined;
try {
  printLine("Starting the service on a fresh directory ...");
  const startedAt = Date.now();
  service = await spawnService({ dir, env: callsElsewhere === true ? { LOCAL_CALLS_REGION: ELSEWHERE } : {} });
  printLine(`Ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`);
  if (room === true) await showSlackChannel(service, printLine);
  else if (move === true) await showMove(service, dir, printLine);
  else {
    await showDemo(service);
    await showCall(service, printLine);
  }
  printLine("\nThat was the whole way. `npm start` runs the service for as long as you like.");
} catch (error) {
  process.stderr.write(`The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await service?.stop();
  rmSync(dir, { recursive: true, force: true });
}
