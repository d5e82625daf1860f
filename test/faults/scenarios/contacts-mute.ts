import { addContact, buildWorkspace, deviceOf, deviceIdOf, type PagedBy } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
/** The interval between events. Each event comes while the previous event still waits for its text messages and calls. */
const EVERY_MS = 2000;
const EVENTS = 3;
/** Without a disturbance, a push is sent within this time after the post of its event. */
const PUSHED_WITHIN_MS = 1000;

const contacts: readonly (readonly [name: string, way: PagedBy])[] = [
  ["alice", "mail"],
  ["ben", "sms"],
  ["cleo", "voice"],
];

export const contactsMute: Scenario = {
  name: "contacts-mute",
  about:
    "everybody has a phone and an email address; SES, the SMS service and Connect accept every request but never answer",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], ben: ["ben-phone"], cleo: ["cleo-phone"] },
      rules: { outages: { eventKey: "site.down", requiresAck: true } },
    });
    const later = new Map<string, readonly string[]>();
    for (const [name, way] of contacts) {
      const userId = acme.users[name] ?? "";
      await addContact(deps, acme.ws, userId, deviceOf(`${name}-other`, way));
      later.set(userId, [`${name}-phone`, deviceIdOf(`${name}-other`, way)]);
    }
    return [{ ...acme, later }];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.outage.contacts = true;
    for (let index = 0; index < EVENTS; index += 1) {
      await clients.post(acme!, { event: "site.down", title: `Down ${index}` });
      await world.kernel.sleep(EVERY_MS);
    }
    await world.kernel.sleep(MINUTE_MS);
    world.outage.contacts = false;
    world.disturbed(world.kernel.now());
  },
  disturbs: /^(?:sender|push|wake sender)/,
  tells: () => [["outages|alice", "outages|ben", "outages|cleo"]],
  quiet: false,
  unclear: true,
  check: async ({ world, clients }) => {
    if (world.calls.lines.some(({ mode }) => mode !== undefined)) return [];
    const postedAt = new Map(
      clients.posts.flatMap(({ sentAt, answers }) => answers.map(({ eventId = "" }) => [eventId, sentAt] as const)),
    );
    const pushes = world.fcm.calls.filter(({ way }) => way === "fcm");
    const late = pushes.flatMap(({ eventId, token, at }) => {
      const took = at - (postedAt.get(eventId) ?? 0);
      return took > PUSHED_WITHIN_MS ? [`${token} was pushed to after ${took} ms, behind services that are mute`] : [];
    });
    if (pushes.length === EVENTS * contacts.length && late.length === 0)
      world.seen.add("pushes passed mute services by");
    return late;
  },
};
