/**
 * `npm run kill-test`: kills the whole local service while it works, and restarts it on the same directory. After that, every
 * event that was answered with 201 must have exactly its notifications, all of them SENT.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { spawnService, type SpawnedService } from "../../local/spawn.ts";
import { readArguments } from "../../tools/command-line.ts";

type Options = {
  rounds: number;
  events: number;
  posters: number;
  /** Moves the functions' clock ahead after each restart, so that the sweeper need not wait until work is due. */
  aheadSeconds: number;
  say: (line: string) => void;
};

const Accepted = v.object({ eventId: v.string() });
const WithId = v.object({ id: v.string() });
const EventView = v.object({
  eventKey: v.string(),
  notifications: v.array(v.object({ status: v.string(), user: v.object({ id: v.string() }) })),
});
type EventView = v.InferOutput<typeof EventView>;

/** How long the restarted service has until all accepted events must be SENT. */
const FINISHED_MS = 120_000;
const RECIPIENTS = 2;

const setUpWorkspace = async (service: SpawnedService): Promise<void> => {
  const { id, members } = service.workspace("Acme");
  const ask = async (path: string, body: unknown, as: string | undefined) => {
    const answer = await service.call("POST", `/v1/workspaces/${id}${path}`, {
      body,
      ...(as === undefined ? {} : { as }),
    });
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}`);
    return answer.body;
  };
  const token = members[0]?.token;
  const group = v.parse(WithId, await ask("/groups", { name: "kill test" }, token));
  for (const { userId, name, token: own } of members.slice(0, RECIPIENTS)) {
    await ask(`/groups/${group.id}/members`, { userId }, token);
    await ask("/devices", { token: `phone-of-${name}`, platform: "android" }, own);
  }
  const targets = [{ type: "group", groupId: group.id }];
  await ask("/routing-rules", { name: "kill test", eventKey: "kill.test", targets }, token);
};

/**
 * Posts until `events` posts were answered with 201, then kills the service while posts are in progress; returns the ids
 * answered.
 */
const postAndKill = async (service: SpawnedService, posters: number, events: number): Promise<string[]> => {
  const { apiKey } = service.workspace("Acme");
  const accepted: string[] = [];
  let killed: Promise<void> | undefined;
  const postUntilKilled = async (): Promise<void> => {
    while (killed === undefined) {
      const body = { event: "kill.test", title: `Event ${accepted.length}`, body: "Sent while the service is killed." };
      const answer = await service.call("POST", "/v1/events", { as: apiKey, body }).catch(String);
      if (typeof answer !== "string" && answer.status === 201) accepted.push(v.parse(Accepted, answer.body).eventId);
      else if (killed === undefined) throw new Error(`a post failed before the kill: ${JSON.stringify(answer)}`);
      if (accepted.length >= events) killed ??= service.kill("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: posters }, postUntilKilled));
  await killed;
  return accepted;
};

/** `final`: unfinished work also counts as a fault. */
const findFault = (view: EventView | undefined, final: boolean): string | undefined => {
  if (view === undefined) return "is not stored";
  const { notifications } = view;
  const users = new Set(notifications.map(({ user }) => user.id));
  if (notifications.length > RECIPIENTS || users.size < notifications.length) return "has too many notifications";
  if (!final) return undefined;
  if (notifications.length < RECIPIENTS) return `has ${notifications.length} of ${RECIPIENTS} notifications`;
  const unsent = notifications.filter(({ status }) => status !== "SENT");
  return unsent.length === 0 ? undefined : `has ${unsent.length} notifications that are not SENT`;
};

const readEvent = async (service: SpawnedService, eventId: string): Promise<EventView | undefined> => {
  const { id, members } = service.workspace("Acme");
  const answer = await service.call("GET", `/v1/workspaces/${id}/events/${eventId}`, { as: members[0]?.token ?? "" });
  return answer.status === 200 ? v.parse(EventView, answer.body) : undefined;
};

/** Waits until all events are finished, and returns the faults of unfinished events. */
const findFaults = async (service: SpawnedService, eventIds: readonly string[]): Promise<string[]> => {
  const deadline = Date.now() + FINISHED_MS;
  let open = [...eventIds];
  const faults: string[] = [];
  while (open.length > 0) {
    const final = Date.now() > deadline;
    const unfinished: string[] = [];
    for (const eventId of open) {
      const view = await readEvent(service, eventId);
      const fault = findFault(view, final);
      if (fault !== undefined) faults.push(`${eventId} ${fault}`);
      else if (findFault(view, true) !== undefined) unfinished.push(eventId);
    }
    open = unfinished;
    if (open.length > 0) await sleep(500);
  }
  return faults;
};

const killAndRestart = async ({ rounds, events, posters, aheadSeconds, say }: Options) => {
  const dir = mkdtempSync(join(tmpdir(), "kill-and-restart-"));
  const accepted: string[] = [];
  const faults: string[] = [];
  let service = await spawnService({ dir });
  try {
    await setUpWorkspace(service);
    for (let round = 1; round <= rounds; round += 1) {
      const posted = await postAndKill(service, posters, events);
      accepted.push(...posted);
      const startedAt = Date.now();
      service = await spawnService({ dir });
      if (aheadSeconds > 0) {
        await service.control("POST", "/clock", { advanceSeconds: aheadSeconds });
        await service.control("POST", "/tick");
      }
      const found = await findFaults(service, posted);
      faults.push(...found);
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      say(
        `round ${round}: ${posted.length} answered 201, killed, all finished ${seconds} s after the start; ${found.length} faults`,
      );
    }
  } finally {
    await service.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  }
  return { accepted: accepted.length, faults };
};

const usage = `npm run kill-test -- --rounds 5      the number of kills (3)
npm run kill-test -- --events 500    the number of events before each kill (500)
npm run kill-test -- --posters 8     the number of concurrent clients (8)
npm run kill-test -- --ahead 120     the seconds by which the functions' clock moves ahead at each restart (0)`;

const values = readArguments(usage, {
  rounds: { type: "string", default: "3" },
  events: { type: "string", default: "500" },
  posters: { type: "string", default: "8" },
  ahead: { type: "string", default: "0" },
});
const { accepted, faults } = await killAndRestart({
  rounds: Number(values.rounds),
  events: Number(values.events),
  posters: Number(values.posters),
  aheadSeconds: Number(values.ahead),
  say: (line) => console.log(line),
});
for (const fault of faults) console.log(fault);
console.log(`${accepted} events answered 201, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
