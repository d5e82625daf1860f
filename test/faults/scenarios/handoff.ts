import { createPolicy } from "../../../core/store/rules/escalation-policies.ts";
import { updateRule } from "../../../core/store/rules/rules.ts";
import { listFirings } from "../../../core/store/events/escalations.ts";
import { putSchedule } from "../../../core/store/schedules/on-call.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import { START } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import { EARLY_MS, type Scenario } from "../scenario.ts";
import { acknowledgeAsAlice, waitForStepNotification } from "./temporary-acknowledgement.ts";

const HOUR_MS = 3_600_000;
/** A turn takes twelve hours, and Alice's ends soon after the scenario begins. */
const HOURS = 12;
const SHIFT_ENDS = START + HOUR_MS / 2;
/** Alice's first acknowledgement ends before the end of her shift, the second after it. */
const ACK_MINUTES = 20;

export const handoff: Scenario = {
  name: "handoff",
  about: "a shift ends while its person's second acknowledgement lasts: the next person is notified once",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], ben: ["ben-phone"] },
      rules: { outages: { eventKey: "*", requiresAck: true, onCallOnly: true } },
    });
    const layer = { start: toIso(SHIFT_ENDS - HOURS * HOUR_MS).slice(0, 16), every: HOURS, unit: "hour" as const };
    const participants = [acme.users["alice"]!, acme.users["ben"]!];
    await putSchedule(deps, acme.ws, acme.groups["ops"]!, () => ({
      timeZone: "UTC",
      layers: [{ ...layer, participants, restrictions: [] }],
    }));
    const { id } = await createPolicy(deps, acme.ws, {
      name: "P",
      repeat: 0,
      ackMinutes: ACK_MINUTES,
      steps: [{ delayMinutes: 60, targets: [{ type: "user", userId: acme.users["alice"]! }] }],
    });
    await updateRule(deps, acme.ws, acme.rules["outages"]!, { escalationPolicyId: id });
    return [acme];
  },
  ...acknowledgeAsAlice,
  play: async (play) => {
    await acknowledgeAsAlice.play(play);
    const id = await waitForStepNotification(play, "alice");
    if (id !== undefined) await play.clients.report(play.fixtures[0]!, "alice", id);
  },
  minutes: 120,
  check: async ({ world, fixtures: [acme], clients }) => {
    const again = clients.acknowledgements.filter(({ status }) => status === 200)[1];
    if (again === undefined || again.answeredAt > SHIFT_ENDS - EARLY_MS) return [];
    const firings = await world.outside((deps) => listFirings(deps, { ws: acme!.ws, seq: 1 }));
    const handed = firings.filter(({ addition }) => addition?.because === "handed_over");
    const [first] = handed;
    if (first === undefined || handed.length > 1)
      return [`the event was handed off ${handed.length} times instead of once`];
    const notified = first.recipients.map(({ userId }) => userId);
    if (notified.length !== 1 || notified[0] !== acme!.users["ben"])
      return [`the event was handed off to ${notified.join(", ")}`];
    const early = SHIFT_ENDS - first.at;
    if (early > EARLY_MS) return [`the event was handed off ${early / 1000} s before the shift ended`];
    world.seen.add("an event was handed off after an acknowledgement had ended");
    return [];
  },
};
