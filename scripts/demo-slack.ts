import * as v from "valibot";
import type { SpawnedService } from "../local/spawn.ts";
import { Accepted, openDemoWorkspace, Made } from "./demo-workspace.ts";
import { waitForValue } from "./wait-for.ts";

/** `npm run demo -- --room`: an event appears in Slack and at a webhook. Buttons in Slack acknowledge and resolve the event. */

const Channels = v.object({
  messages: v.record(v.string(), v.array(v.object({ ts: v.string(), text: v.string(), edits: v.number() }))),
  ephemeral: v.array(v.object({ user: v.string(), text: v.string() })),
});
const Hook = v.object({
  messages: v.array(
    v.object({
      body: v.pipe(
        v.string(),
        v.parseJson(),
        v.object({ type: v.string(), data: v.object({ sequence: v.number(), state: v.string(), title: v.string() }) }),
      ),
    }),
  ),
});

const CHANNEL = "C0DEMO00001A";
const PERSON = "U0DEMOALICE";
const TITLE = "Payments are failing";

const readJson = async <Body>(url: string, schema: v.GenericSchema<unknown, Body>): Promise<Body> =>
  v.parse(schema, await (await fetch(url)).json());

/** Shows a channel of Slack: an event appears there, and its buttons acknowledge and resolve it. `say`: prints a line. */
export const showSlackChannel = async (service: SpawnedService, print: (line: string) => void): Promise<void> => {
  const { root, member, ask } = openDemoWorkspace(service);
  const { slack, hooks } = service.session;
  const startedAt = Date.now();
  const printMilestone = (name: string, text: string): void =>
    print(`${String(Date.now() - startedAt).padStart(6)} ms  ${name.padEnd(10)} ${text}`);

  const readSlack = () => readJson(slack.inboxUrl, Channels);
  /** Waits for the text in Slack, and for the webhook's message number `count`. Returns the `ts` of the Slack message. */
  const waitForMessages = async (text: string, count: number): Promise<string> => {
    const message = await waitForValue(`"${text}" in Slack`, async () =>
      (await readSlack()).messages[CHANNEL]?.find((one) => one.text === text),
    );
    printMilestone("slack", `${message.text}  (edited ${message.edits} times)`);
    const last = await waitForValue(`message ${count} at the webhook`, async () => {
      const { messages } = await readJson(`${hooks.inboxUrl}/demo`, Hook);
      return messages.map(({ body }) => body).filter(({ data }) => data.title === TITLE)[count - 1];
    });
    printMilestone("webhook", `${last.data.sequence} ${last.type}, ${last.data.state}`);
    return message.ts;
  };
  const pressButton = async (ts: string, actionId: string): Promise<void> => {
    const body = JSON.stringify({ channel: CHANNEL, ts, actionId, user: PERSON });
    const answer = await fetch(`${slack.inboxUrl}/press`, { method: "POST", body });
    if (!answer.ok) throw new Error(`the press was answered ${answer.status}`);
    printMilestone("pressed", `${actionId} by ${PERSON}`);
  };

  await ask(Made, "POST", `${root}/connections`, { name: "Operations", kind: "slack", channel: CHANNEL });
  await ask(Made, "POST", `${root}/webhooks`, { name: "Status page", url: `${hooks.inboxUrl}/demo` });
  const event = {
    event: "payment.failing",
    title: TITLE,
    body: "9 of 10 in the last minute.",
    priority: "URGENT",
    requiresAck: true,
  };
  const { eventId } = await ask(Accepted, "POST", "/v1/events", event);
  printMilestone("received", eventId);
  const ts = await waitForMessages(`Open: ${TITLE}`, 1);

  await pressButton(ts, "acknowledge");
  const link = await waitForValue("the question who that is", async () => (await readSlack()).ephemeral.at(-1)?.text);
  const token = /#tie=(?<token>[^|>]+)/.exec(link)?.groups?.["token"] ?? "";
  await ask(v.unknown(), "POST", `${root}/slack-account`, { token });
  printMilestone("tied", `${PERSON} is ${member.name}: the link was opened while signed in`);
  await pressButton(ts, "acknowledge");
  await waitForMessages(`Acknowledged: ${TITLE}`, 2);
  await pressButton(ts, "resolve");
  await waitForMessages(`Resolved: ${TITLE}`, 3);
};
