import { addContact, buildWorkspace, createDevice, toDeviceId, type TestChannel } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
/** The interval between events. Each event comes while the previous event still waits for its text messages and calls. */
const EVERY_MS = 2000;
const EVENTS = 3;
/** Without a disturbance, a push is sent within this time after the post of its event. */
const PUSHED_WITHIN_MS = 1000;

const contacts: readonly (readonly [name: string, channel: TestChannel])[] = [
  ["alice", "email"],
  ["ben", "sms"],
  ["cleo", "voice"],
];

export const contactServicesSilent: Scenario = {
  name: "contact-services-silent",
  about:
    "everybody has a phone and an email address; SES, the SMS service and Connect accept every request but never answer",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], ben: ["ben-phone"], cleo: ["cleo-phone"] },
      rules: { outages: { eventKey: "site.down", requiresAck: true } },
    });
    const laterTokens = new Map<string, readonly string[]>();
    for (const [name, channel] of contacts) {
      const userId = acme.users[name] ?? "";
      await addContact(deps, acme.ws, userId, createDevice(`${name}-other`, channel));
      laterTokens.set(userId, [`${name}-phone`, toDeviceId(`${name}-other`, channel)]);
    }
    return [{ ...acme, laterTokens }];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.outage.contactsSilent = true;
    for (let index = 0; index < EVENTS; index += 1) {
      await clients.post(acme!, { event: "site.down", title: `Down ${index}` });
      await world.kernel.sleep(EVERY_MS);
    }
    await world.kernel.sleep(MINUTE_MS);
    world.outage.contactsSilent = false;
    world.extendDisturbance(world.kernel.now());
  },
  faultyCalls: /^(?:sender|push|wake sender)/,
  expectNotified: () => [["outages|alice", "outages|ben", "outages|cleo"]],
  expectsNoErrors: false,
  hasUnknownOutcomes: true,
  check: async ({ world, clients }) => {
    if (world.calls.records.some(({ mode }) => mode !== undefined)) return [];
    const postedAt = new Map(
      clients.posts.flatMap(({ sentAt, answers }) => answers.map(({ eventId = "" }) => [eventId, sentAt] as const)),
    );
    const pushes = world.fcm.calls.filter(({ channel }) => channel === "fcm");
    const late = pushes.flatMap(({ eventId, token, at }) => {
      const took = at - (postedAt.get(eventId) ?? 0);
      return took > PUSHED_WITHIN_MS
        ? [`${token} got its push after ${took} ms, because other services did not answer`]
        : [];
    });
    if (pushes.length === EVENTS * contacts.length && late.length === 0)
      world.seen.add("pushes were sent while other services did not answer");
    return late;
  },
};
