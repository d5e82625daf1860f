import { isSpread } from "../basics/ids.ts";
import { SHADOW_PAGES_MAX } from "../basics/limits.ts";
import { createNextAttempts, type Devices } from "../delivery/attempts.ts";
import { buildPacks, type PlannedPack } from "../delivery/delivery-plan.ts";
import { toQueuedPack, type Pack } from "../delivery/pack.ts";
import type { PlannedPage } from "../delivery/shadow-plan.ts";
import { toChannel, listDeviceChannels } from "../device/device.ts";
import { computeStepNumber } from "../escalation/escalation-policy.ts";
import type { StoredEvent } from "../event/stored-event.ts";
import type { People } from "../people/people.ts";
import type { PlannedDelivery } from "./planned-delivery.ts";
import { simulateEscalation } from "./timeline.ts";

/** Returns the pages of a pack if nobody acknowledges and all devices accept their pushes. */
const listPagesOfPack = (queued: Pack, devices: Devices): Omit<PlannedPage, "rule" | "step">[] => {
  const { createdAt, recipients } = queued;
  const steps = recipients.flatMap(({ rings = [] }) => rings.map(({ at }) => at));
  const times = [...new Set([createdAt, ...steps])].toSorted((one, other) => one - other);
  let pack = queued;
  return times.flatMap((at) => {
    const next = createNextAttempts(pack, devices, at);
    const pages = [...next].map(([position, attempts]) => {
      const userId = recipients[position]?.userId ?? "";
      const paged = listDeviceChannels(devices.get(userId) ?? []).filter(
        ({ key }) => attempts[key]?.outcome === "sending",
      );
      return { userId, at, devices: paged.map(({ device, way }) => ({ id: device.id, by: way ?? toChannel(device) })) };
    });
    pack = {
      ...pack,
      rangAt: at,
      recipients: pack.recipients.map((recipient, position) => {
        const attempts = next.get(position);
        if (attempts === undefined) return recipient;
        const accepted = Object.entries(attempts).map(([key, one]) => [key, { ...one, outcome: "accepted" as const }]);
        return { ...recipient, status: "SENT", attempts: Object.fromEntries(accepted) };
      }),
    };
    return pages;
  });
};

type Event = Pick<StoredEvent, "workspaceId" | "eventId" | "seq" | "content">;

/** Returns the pages that an event would cause if nobody acknowledged, in order of time. */
const simulatePages = (
  event: Event,
  { plan }: PlannedDelivery,
  { people, devices }: { people: People; devices: Devices },
): PlannedPage[] => {
  const listPagesOfPacks = (packs: readonly PlannedPack[], at: number, position: Pick<PlannedPage, "rule" | "step">) =>
    packs.flatMap((pack) =>
      listPagesOfPack(toQueuedPack({ ...event, plan: undefined }, pack, people, at), devices).map((page) => ({
        ...page,
        ...position,
      })),
    );
  const pages = plan.rules.flatMap((planned, rule) => {
    const { recipients, escalation } = planned;
    const first = { seq: event.seq, spread: isSpread(event.eventId), rule, pack: 0 };
    const hasDevice = (userId: string) => devices.has(userId);
    const steps =
      escalation === undefined
        ? []
        : simulateEscalation(escalation, people, { at: plan.at, recipients }, { hasDevice, confirm: true }).map(
            (fired) => ({ ...fired, step: computeStepNumber(escalation, fired.cursor) }),
          );
    return [
      ...listPagesOfPacks(buildPacks(planned, recipients, { ...first, at: plan.at, cursor: 0 }), plan.at, {
        rule,
        step: 0,
      }),
      ...steps.flatMap(({ step, at, recipients: notified }) =>
        listPagesOfPacks(buildPacks(planned, notified, { ...first, at, cursor: step }), at, { rule, step }),
      ),
    ];
  });
  return pages.toSorted((one, other) => one.at - other.at);
};

/** Returns the plan of an event in a shadow, which lists pages for the comparison, and notifies nobody. */
export const planShadowEvent = (
  event: Event,
  delivery: PlannedDelivery,
  reach: Parameters<typeof simulatePages>[2],
): PlannedDelivery => {
  const { followed: _followed, rooms: _rooms, ...plan } = delivery.plan;
  const pages = simulatePages(event, delivery, reach);
  const listed = pages.slice(0, SHADOW_PAGES_MAX);
  const shadow = { asks: delivery.needsAck, pages: listed, omitted: pages.length - listed.length };
  const { hold } = delivery;
  return {
    ...delivery,
    plan: { ...plan, shadow },
    needsAck: false,
    hold: hold === undefined ? undefined : { heldBy: hold.heldBy, until: hold.until },
  };
};

/** Gives an event of a shadow separate groups and thresholds, so that the event suppresses no pages after the shadow's end. */
export const renameGroupsForShadow = ({ gates, ...delivery }: PlannedDelivery): PlannedDelivery => ({
  ...delivery,
  gates: gates.map(({ rule, gate }) => ({ rule, gate: { ...gate, name: `shadow ${gate.name}` } })),
});
