import { parsePackId } from "../../../core/domain/basics/ids.ts";
import { ADDED_RULE } from "../../../core/domain/delivery/added.ts";
import { listFirings, readEscalation } from "../../../core/store/events/escalations.ts";
import { createPolicy } from "../../../core/store/rules/escalation-policies.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import { updateRule } from "../../../core/store/rules/rules.ts";
import { buildWorkspace, type Fixture, type SetupDeps } from "../fixtures.ts";
import { listItems } from "../items.ts";
import { listNewestPacks } from "../../world/newest-packs.ts";
import { EARLY_MS, type Play, type Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
const ACK_MINUTES = 5;

/** An event notifies Alice at once, and Ben after 20 minutes; an acknowledgement ends after 5 minutes. */
const setup = async (deps: SetupDeps): Promise<Fixture[]> => {
  const acme = await buildWorkspace(deps, {
    people: { alice: ["alice-phone"], ben: ["ben-phone"] },
    groups: { ops: ["alice"] },
    rules: { outages: { eventKey: "site.down", requiresAck: true } },
  });
  const { id } = await createPolicy(deps, acme.ws, {
    name: "P",
    repeat: 0,
    ackMinutes: ACK_MINUTES,
    steps: [{ delayMinutes: 20, targets: [{ type: "user", userId: acme.users["ben"]! }] }],
  });
  await updateRule(deps, acme.ws, acme.rules["outages"]!, { escalationPolicyId: id });
  return [acme];
};

export const waitForFirstNotification = async ({ world }: Play): Promise<string | undefined> => {
  for (let round = 0; round < 2000; round += 1) {
    const [pack] = listItems(world, "NOTIFICATIONS").map((item) => item["sk"]?.S ?? "");
    if (pack !== undefined) return `ntf_${pack}0`;
    await world.kernel.sleep(round < 100 ? 7 : 500);
  }
  return undefined;
};

export const waitForStepNotification = async (
  { world, fixtures: [acme] }: Play,
  user: string,
): Promise<string | undefined> => {
  for (let minute = 0; minute < 40; minute += 1) {
    const packs = await world.outside((deps) => listNewestPacks(deps, acme!.ws, 10));
    const pack = packs.find(({ packId, recipients: [first] }) => {
      const { rule, cursor = 0 } = parsePackId(packId) ?? {};
      return rule === 0 && cursor > 0 && first?.userId === acme!.users[user];
    });
    if (pack !== undefined) return `ntf_${pack.packId}0`;
    await world.kernel.sleep(MINUTE_MS);
  }
  return undefined;
};

/** Alice acknowledges an event as soon as she is notified. Ingest is covered by other scenarios. */
export const acknowledgeAsAlice = {
  play: async (play) => {
    const { clients, fixtures } = play;
    const acme = fixtures[0]!;
    await clients.post(acme, { event: "site.down", title: "Down" });
    const id = await waitForFirstNotification(play);
    if (id !== undefined) await clients.report(acme, "alice", id);
  },
  faultyCalls: /^(?:sender|push|wake sender|escalat|wake escalat|sweep|update-notification)/,
  expectNotified: () => [["outages|alice"]],
} satisfies Partial<Scenario>;

/** Reads the event, the questions to its acknowledger, the steps that notified people, and the number of open events. */
const readState = ({ world, fixtures: [acme], clients }: Play) =>
  world.outside(async (deps) => {
    const ref = { ws: acme!.ws, seq: 1 };
    const firings = await listFirings(deps, ref);
    const escalation = await readEscalation(deps, { ...ref, rule: 0 });
    const eventId = clients.posts[0]?.answers.find(({ status }) => status === 201)?.eventId;
    return {
      asked: firings.filter(({ rule }) => rule === ADDED_RULE),
      stepped: firings.filter(({ rule, cursor }) => rule === 0 && cursor <= (escalation?.fired ?? 0)),
      event: eventId === undefined ? undefined : await readEvent(deps, acme!.ws, eventId),
      listed: (await listOpenEvents(deps, acme!.ws, { limit: "all" })).length,
    };
  });

export const temporaryAcknowledgement: Scenario = {
  name: "temporary-acknowledgement",
  about: "an acknowledgement ends after 5 minutes, the next step fires, and its recipient's acknowledgement ends, too",
  setup,
  ...acknowledgeAsAlice,
  play: async (play) => {
    await acknowledgeAsAlice.play(play);
    const id = await waitForStepNotification(play, "ben");
    if (id !== undefined) await play.clients.report(play.fixtures[0]!, "ben", id);
  },
  minutes: 60,
  check: async (play) => {
    const found: string[] = [];
    const { asked, stepped, event, listed } = await readState(play);
    const [acknowledged, again] = play.clients.acknowledgements.filter(({ status }) => status === 200);
    if (acknowledged === undefined || event === undefined) return found;
    const acks = again === undefined ? 1 : 2;
    if (asked.length !== acks) found.push(`${asked.length} questions instead of ${acks}`);
    if (stepped.length !== acks) found.push(`${stepped.length} steps fired instead of ${acks}`);
    if (event.life.term !== undefined) found.push("the acknowledgement has not ended");
    if (listed !== 1) found.push("the event is not listed as open again");
    const [step] = stepped;
    if (step !== undefined && step.at < acknowledged.answeredAt + ACK_MINUTES * MINUTE_MS - EARLY_MS)
      found.push(`the step came ${(step.at - acknowledged.answeredAt) / 1000} s after the acknowledgement`);
    if (found.length === 0) play.world.seen.add("an escalation continued after an acknowledgement ended");
    if (found.length === 0 && acks === 2) play.world.seen.add("a second acknowledgement ended");
    return found;
  },
};
