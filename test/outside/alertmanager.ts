import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { readArguments } from "../../tools/command-line.ts";
import { findFreePort } from "../../tools/free-port.ts";
import { spawnService } from "../../local/spawn.ts";

readArguments(
  "npm run test:alertmanager    lets a real Alertmanager send to the local service by each of its receivers",
  {},
);

/*
 * Sets up a real Alertmanager as in docs/sources.md, and sends amtool's alert to the local service: the alert
 * fires, repeats and resolves, three times. Another alert begins during a silence and outlasts it. Debian's package
 * prometheus-alertmanager contains Alertmanager and amtool.
 */

const root = join(import.meta.dirname, "../..");
const WAIT_MS = 30_000;
const POLL_MS = 100;

const Id = v.object({ id: v.string() });
const EventPage = v.object({
  total: v.number(),
  items: v.array(
    v.object({ id: v.string(), eventKey: v.string(), title: v.string(), priority: v.string(), state: v.string() }),
  ),
});
const Inbox = v.object({
  messages: v.array(v.object({ message: v.object({ notification: v.optional(v.object({ title: v.string() })) }) })),
});

const waitUntil = async (expected: string, holds: () => Promise<boolean>, waitMs = WAIT_MS): Promise<void> => {
  const deadline = Date.now() + waitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${expected}: not within ${waitMs / 1000} s`);
    await sleep(POLL_MS);
  }
  console.log(expected);
};

/** Returns the settings of docs/sources.md for receivers of other services, as parts of one receiver. */
const readOtherReceivers = (): string => {
  const text = /^opsgenie_configs:\n.*?(?=```)/ms.exec(readFileSync(join(root, "docs/sources.md"), "utf8"))?.[0];
  if (text === undefined) throw new Error("docs/sources.md has no other receivers for Alertmanager");
  return text.replaceAll(/^(?=.)/gm, "    ");
};

/** Returns the docs' settings for this service, changed so that groups are sent at once and repeated as often as possible. */
const readSettings = (baseUrl: string, apiKey: string): string => {
  const page = readFileSync(join(root, "docs/sources.md"), "utf8");
  const settings = /```yaml\n(?<text>(?:(?!```).)*\/from\/alertmanager.*?)```/s.exec(page)?.groups?.["text"];
  if (settings === undefined) throw new Error("docs/sources.md has no settings for Alertmanager");
  return `${settings.trimEnd()}\n${readOtherReceivers()}`
    .replaceAll("https://alerts.example.com", baseUrl)
    .replaceAll("eak_...", apiKey)
    .replace(
      "  receiver: alerts\n",
      "  receiver: alerts\n  group_wait: 0s\n  group_interval: 1s\n  repeat_interval: 1s\n",
    );
};

const dir = mkdtempSync(join(tmpdir(), "alertmanager-"));
const began = performance.now();
const service = await spawnService({ dir: join(dir, "service") });
const port = await findFreePort();
const address = `http://127.0.0.1:${port}`;
const { id, apiKey, members } = service.workspace("Acme");
const [person] = members;
writeFileSync(join(dir, "alertmanager.yml"), readSettings(service.session.baseUrl, apiKey));
const alertmanager = spawn(
  "prometheus-alertmanager",
  [
    `--config.file=${join(dir, "alertmanager.yml")}`,
    `--storage.path=${join(dir, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--cluster.listen-address=",
  ],
  { stdio: ["ignore", "ignore", "pipe"] },
);
let log = "";
alertmanager.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
const missing = new Promise<never>((_, reject) => alertmanager.once("error", reject));

const ask = async <Output>(method: string, path: string, schema: v.GenericSchema<unknown, Output>, body?: unknown) => {
  const as = person?.token ?? "";
  const answer = await service.call(method, `/v1/workspaces/${id}${path}`, body === undefined ? { as } : { as, body });
  return v.parse(schema, answer.body);
};
const listEventsOf = (tool: string) => ask("GET", `/events?eventKey=${tool}.*`, EventPage);
const listEvents = () => listEventsOf("alertmanager");
const OTHER_TOOLS = ["opsgenie", "pagerduty"] as const;
const readTimeline = async (tool: string): Promise<string> =>
  (await listEventsOf(tool)).items
    .toReversed()
    .map(({ eventKey, state }) => `${eventKey} ${state}`)
    .join(", ");
const listPushes = async (): Promise<string[]> =>
  v
    .parse(Inbox, await service.control("GET", "/inbox"))
    .messages.flatMap(({ message }) => message.notification?.title ?? []);
/** Returns how many notifications Alertmanager has sent, by its own count. */
const countSent = async (): Promise<number> => {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^alertmanager_notifications_total\{integration="webhook"\} (?<count>\d+)/m.exec(metrics)?.[1] ?? 0);
};
const runAmtool = (...args: string[]): string =>
  execFileSync("amtool", [`--alertmanager.url=${address}`, "alert", "add", ...args], { encoding: "utf8" });
const createAlertArguments = (host: string): string[] => [
  "HighCpu",
  `instance=${host}:9100`,
  "severity=critical",
  `--annotation=summary=CPU of ${host} at 98 %`,
  "--generator-url=http://prometheus.example:9090/graph",
];
const alert = createAlertArguments("db-1");

/** The sweeper runs every minute, and what it finds is sent within seconds. */
const NOTIFIED_WITHIN_MS = 65_000;
const SILENCE_MS = 8_000;

/** Checks that an alert that begins during a silence notifies once when the silence ends, however often it is repeated. */
const checkSilence = async (): Promise<void> => {
  const ends = Date.now() + SILENCE_MS;
  const quiet = {
    name: "Works",
    eventKey: "alertmanager.*",
    endsAt: new Date(ends).toISOString(),
    includeUrgent: true,
  };
  await ask("POST", "/silences", Id, quiet);
  runAmtool(...createAlertArguments("db-2"), `--start=${new Date(Date.now() - 1000).toISOString()}`);
  const title = "CPU of db-2 at 98 %";
  const countNotified = async (): Promise<number> => (await listPushes()).filter((one) => one === title).length;
  const readState = async () => (await listEvents()).items.find((event) => event.title === title)?.state;
  await waitUntil("in a silence: an event, and no push", async () => (await readState()) === "none");
  await sleep(ends - Date.now());
  if ((await countNotified()) > 0) throw new Error("there was a push in the silence");
  await waitUntil("the silence has ended: a push", async () => (await countNotified()) > 0, NOTIFIED_WITHIN_MS);
  console.log(`the push came ${Math.round((Date.now() - ends) / 1000)} s after the end of the silence`);
  const before = await countSent();
  await waitUntil("repeated three times more", async () => (await countSent()) >= before + 3);
  if ((await countNotified()) !== 1 || (await readState()) !== "open")
    throw new Error(`${await countNotified()} pushes, ${await readState()}`);
};

const playScenario = async (): Promise<void> => {
  const group = await ask("POST", "/groups", Id, { name: "Ops" });
  await ask("POST", `/groups/${group.id}/members`, v.unknown(), { userId: person?.userId });
  await ask("POST", "/devices", Id, { token: "pager", platform: "ios" });
  const targets = [{ type: "group", groupId: group.id }];
  await ask("POST", "/routing-rules", Id, { name: "Alerts", eventKey: "alertmanager.*", targets, requiresAck: true });
  await waitUntil(
    "Alertmanager runs",
    async () => (await fetch(`${address}/-/ready`).catch(() => undefined))?.ok === true,
  );

  const start = new Date(Date.now() - 1000).toISOString();
  runAmtool(...alert, `--start=${start}`);
  await waitUntil("firing: an event, and a push", async () => (await listPushes()).includes("CPU of db-1 at 98 %"));
  const [fired] = (await listEvents()).items;
  if (fired?.eventKey !== "alertmanager.firing" || fired.priority !== "URGENT" || fired.state !== "open")
    throw new Error(`the event is ${JSON.stringify(fired)}`);

  for (const tool of OTHER_TOOLS)
    await waitUntil(
      `firing: an event by the receiver of ${tool}`,
      async () => (await readTimeline(tool)) === `${tool}.firing none`,
    );

  const before = await countSent();
  await waitUntil("repeated three times", async () => (await countSent()) >= before + 3);
  const { total } = await listEvents();
  if (total !== 1) throw new Error(`the repeats made ${total - 1} more events`);

  runAmtool(...alert, `--start=${start}`, `--end=${new Date().toISOString()}`);
  await waitUntil("resolved: the event is over, and a push says so", async () => {
    const { items } = await listEvents();
    return items.length === 2 && items.at(-1)?.state === "resolved" && (await listPushes()).length > 1;
  });
  for (const tool of OTHER_TOOLS)
    await waitUntil(
      `resolved by the receiver of ${tool}`,
      async () => (await readTimeline(tool)) === `${tool}.firing resolved, ${tool}.resolved none`,
    );
  const [ended] = (await listEvents()).items;
  if (ended?.eventKey !== "alertmanager.resolved") throw new Error(`the event is ${JSON.stringify(ended)}`);
  await checkSilence();
};

try {
  await Promise.race([missing, playScenario()]);
  console.log(`Alertmanager reaches the phone (${Math.round((performance.now() - began) / 1000)} s)`);
} catch (error) {
  process.stderr.write(log);
  throw error;
} finally {
  alertmanager.kill();
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
