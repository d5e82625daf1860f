import type { paidFor } from "../../../core/domain/shifts/pay.ts";
import type { Answers, Inputs } from "../../app/types.ts";

type Workspace = Answers["WorkspaceView"];
export type Channel = NonNullable<Workspace["urgentFloor"]>["ways"][number];

export type Draft = {
  name: string;
  isLimited: boolean;
  loudPerTenMinutes: string;
  openToAcknowledge: boolean;
  hasFloor: boolean;
  floorWays: readonly Channel[];
  withinMinutes: string;
  provesShifts: boolean;
  proofMinutes: string;
  snsTopics: string;
  paysOnCall: boolean;
} & Record<(typeof paidFor)[number], string>;

/** Suggested values when a setting is enabled. */
const FIRST = { loudPerTenMinutes: 10, withinMinutes: 5, minutesBefore: 60 };

/** Returns an object with a computed value for each pay rate. */
const mapRates = <Value>(computeValue: (name: (typeof paidFor)[number]) => Value) => ({
  weekday: computeValue("weekday"),
  night: computeValue("night"),
  weekend: computeValue("weekend"),
  holiday: computeValue("holiday"),
  nightPage: computeValue("nightPage"),
});

export const toDraft = (workspace: Workspace): Draft => {
  const {
    name,
    loudPerTenMinutes,
    openToAcknowledge,
    urgentFloor = null,
    proveShifts = null,
    snsTopics,
    pay = null,
  } = workspace;
  return {
    name,
    isLimited: loudPerTenMinutes !== null,
    loudPerTenMinutes: String(loudPerTenMinutes ?? FIRST.loudPerTenMinutes),
    openToAcknowledge: openToAcknowledge ?? false,
    hasFloor: urgentFloor !== null,
    floorWays: urgentFloor?.ways ?? ["push"],
    withinMinutes: String(urgentFloor?.withinMinutes ?? FIRST.withinMinutes),
    provesShifts: proveShifts !== null,
    proofMinutes: String(proveShifts?.minutesBefore ?? FIRST.minutesBefore),
    snsTopics: (snsTopics ?? []).join("\n"),
    paysOnCall: pay !== null,
    ...mapRates((name) => String(pay?.[name] ?? 0)),
  };
};

const toSettings = (draft: Draft) => ({
  name: draft.name,
  // An empty field becomes 0, which the service refuses; null would remove the limit.
  loudPerTenMinutes: draft.isLimited ? Number(draft.loudPerTenMinutes) : null,
  openToAcknowledge: draft.openToAcknowledge,
  urgentFloor: draft.hasFloor
    ? {
        ways: [...draft.floorWays],
        // An empty field becomes NaN, which the service reports as missing, because 0 is valid.
        withinMinutes: draft.withinMinutes === "" ? Number.NaN : Number(draft.withinMinutes),
      }
    : null,
  // An empty field becomes 0, which the service refuses.
  proveShifts: draft.provesShifts ? { minutesBefore: Number(draft.proofMinutes) } : null,
  snsTopics: draft.snsTopics.split(/\s+/).filter((topic) => topic !== ""),
  // An empty rate becomes 0.
  pay: draft.paysOnCall ? mapRates((name) => Number(draft[name])) : null,
});

/** Returns only changed fields, so that fields that were never set keep following the service's default. */
export const toPatch = (draft: Draft, workspace: Workspace): Inputs["WorkspacePatch"] => {
  const before = new Map<string, unknown>(Object.entries(toSettings(toDraft(workspace))));
  return Object.fromEntries(
    Object.entries(toSettings(draft)).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before.get(field)),
    ),
  );
};
