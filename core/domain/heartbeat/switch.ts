import * as v from "valibot";
import { DeviceId } from "../basics/ids.ts";
import { URL_MAX_CODE_POINTS } from "../basics/limits.ts";
import { wholeNumberSchema } from "../basics/number.ts";
import { textSchema } from "../basics/text.ts";
import { toIso, toIsoOrNull } from "../basics/time.ts";
import { MINUTE_MS } from "../basics/units.ts";
import { Warning } from "../basics/warning.ts";
import { normalizeUrl } from "../basics/web-address.ts";
import type { Device } from "../device/device.ts";
import type { ServiceEvent } from "../event/notices.ts";

/*
 * Another provider's dead man's switch alerts when calls to its URL stop. Each round sends an event through the whole service to
 * one device. The switch's URL is called once the device confirms the push. The id of a round is its beginning (milliseconds).
 */

/** The limits of the time between two rounds. */
const EVERY_MIN_MINUTES = 5;
export const EVERY_MINUTES_MAX = 60;
/** The age, in intervals, from which a round no longer calls the URL. */
const LATE_INTERVALS = 2;

export const SwitchInput = v.strictObject({
  url: v.pipe(textSchema("url", URL_MAX_CODE_POINTS), v.transform(normalizeUrl)),
  everyMinutes: wholeNumberSchema("everyMinutes", EVERY_MIN_MINUTES, EVERY_MINUTES_MAX),
  deviceId: v.string("deviceId must be a string."),
});
export type SwitchInput = v.InferOutput<typeof SwitchInput>;

/** The settings, with the owner of the device. */
export const SwitchSettings = v.object({
  url: v.string(),
  everyMinutes: v.number(),
  deviceId: DeviceId,
  userId: v.string(),
});
export type SwitchSettings = v.InferOutput<typeof SwitchSettings>;

/** The settings, and the last rounds (ms) that began, that the device confirmed, and that called the URL. */
export const Switch = v.object({
  ...SwitchSettings.entries,
  setAt: v.number(),
  begunRound: v.optional(v.number()),
  confirmedRound: v.optional(v.number()),
  confirmedAt: v.optional(v.number()),
  /** The round for which the URL was last called, stored before the call. */
  calledRound: v.optional(v.number()),
  answeredAt: v.optional(v.number()),
  failure: v.optional(v.object({ at: v.number(), code: v.string() })),
});
export type Switch = v.InferOutput<typeof Switch>;

type RoundSettings = Pick<Switch, "setAt" | "everyMinutes">;

/** Returns when the last (`round`) and the `next` test event are due (ms). The first is due when the switch is configured. */
export const findRoundsAt = ({ setAt, everyMinutes }: RoundSettings, now: number): { round: number; next: number } => {
  const every = everyMinutes * MINUTE_MS;
  const round = setAt + Math.floor((now - setAt) / every) * every;
  return { round, next: round + every };
};

/** Returns whether the test event (`round`) belongs to the current settings and is recent enough to call the URL. */
export const isRoundTimely = ({ setAt, everyMinutes }: RoundSettings, round: number, now: number): boolean =>
  round >= setAt && now - round <= LATE_INTERVALS * everyMinutes * MINUTE_MS;

const PREFIX = "swi_";
/** Returns the id of a test event. `round`: when the test event is due, in milliseconds. */
export const formatRoundId = (round: number): string => `${PREFIX}${round}`;
export const parseRoundId = (id: string): number | undefined =>
  id.startsWith(PREFIX) ? Number(id.slice(PREFIX.length)) : undefined;

/** Builds the test event that is due at `round` (ms). */
export const buildSwitchEvent = (round: number): ServiceEvent => ({
  once: `switch:${round}`,
  content: {
    eventKey: "service.switch",
    title: "Test of the dead man's switch",
    body: "The dead man's switch calls its URL once the device has confirmed this event.",
    priority: "LOW",
    probe: { round },
  },
});

export const SwitchView = v.object({
  ...SwitchSettings.entries,
  lastEventAt: v.nullable(v.string()),
  lastReceiptAt: v.nullable(v.string()),
  /** When the URL last accepted a call. */
  lastCallAt: v.nullable(v.string()),
  lastFailure: v.nullable(v.object({ at: v.string(), code: v.string() })),
  warnings: v.array(Warning),
});
export type SwitchView = v.InferOutput<typeof SwitchView>;

export const toSwitchView = (state: Switch, devices: readonly Device[], now: number): SwitchView => {
  const { url, everyMinutes, deviceId, userId, setAt, answeredAt = setAt, failure } = state;
  const warnings: Warning[] = [];
  if (!devices.some(({ id }) => id === deviceId))
    warnings.push({
      code: "device_removed",
      field: "deviceId",
      message: "The device was removed, so the dead man's switch calls no URL. Choose another device.",
    });
  if (!isRoundTimely(state, answeredAt, now))
    warnings.push({ code: "calls_stopped", message: "The switch's URL has accepted no call for two intervals." });
  return {
    url,
    everyMinutes,
    deviceId,
    userId,
    lastEventAt: toIsoOrNull(state.begunRound),
    lastReceiptAt: toIsoOrNull(state.confirmedAt),
    lastCallAt: toIsoOrNull(state.answeredAt),
    lastFailure: failure === undefined ? null : { at: toIso(failure.at), code: failure.code },
    warnings,
  };
};
