import { API_KEYS_MAX, NAME_MAX_CODE_POINTS } from "../../core/domain/basics/limits.ts";
import type { SourceName } from "../../core/domain/basics/source-name.ts";
import { LAYERS_MAX, listScheduleUsers } from "../../core/domain/on-call/index.ts";
import type { FileTarget } from "../file.ts";
import type { SetUp } from "../write.ts";
import type { ItemCount, Remark } from "./report.ts";
import type { Person } from "./person.ts";
import type { FileLayer } from "./rotation.ts";

/**
 * Returns who is on call at `ms` (since 1970), by the rules of the other service. `local`: the latest local time so far, which
 * never goes back, even when clocks do.
 */
export type Reading = (ms: number, local: number) => readonly string[];

export type Check = { schedule: string; groups: readonly string[]; timeZone: string; source: string; reading: Reading };

export type Draft = {
  setUp: SetUp;
  remarks: Remark[];
  found: ItemCount[];
  /** The people who must enter their contacts and notification steps in this service. */
  people: Person[];
  /** Names of keys, by the ids of senders in the export. */
  senders: Map<string, string>;
  checks: Check[];
  /** Adds a warning at the top of the report: people are notified differently from what they expect. */
  warn: (what: string, why: string) => void;
  /** Counts items of the export, and returns a unique name for remarks about them. `items`: the number of items. */
  count: (kind: string, what: string, items?: number) => string;
  /** Each function adds a remark: `what` (an item's name) was imported (`taken`), imported differently, or left out. */
  taken: (what: string, as: string) => void;
  different: (what: string, why: string) => void;
  left: (what: string, why: string) => void;
  /** Reports that somebody may not be notified. The command also prints the remark. */
  missing: (what: string, why: string) => void;
  /** Returns the wanted name. If another item has the wanted name, adds a number and reports the difference. */
  nameFor: (section: Section, wanted: string) => string;
  /** Adds an API key and returns its name; at the workspace's limit, returns undefined and adds a remark about `what`. */
  addKey: (wanted: string, source?: SourceName, what?: string) => string | undefined;
  addGroup: (
    wanted: string,
    members: readonly string[],
    schedule?: { timeZone: string; layers: FileLayer[] },
  ) => string;
};

type Section = "groups" | "policies" | "rules" | "keys";
const nouns: Readonly<Record<Section, string>> = { groups: "Group", policies: "Policy", rules: "Rule", keys: "Key" };

const UNPRINTED = /[\p{Cc}\p{Cs}\s]+/gu;

const shortenName = (name: string, max: number): string => Array.from(name).slice(0, max).join("");

export const createDraft = (): Draft => {
  const setUp: SetUp = {
    people: [],
    groups: [],
    schedules: [],
    policies: [],
    floors: [],
    pay: [],
    rules: [],
    keys: [],
    silences: [],
    webhooks: [],
    connections: [],
  };
  const remarks: Remark[] = [];
  const createRemarker = (kind: Remark["kind"]) => (what: string, why: string) => {
    if (!remarks.some((one) => one.kind === kind && one.what === what && one.why === why))
      remarks.push({ kind, what, why });
  };
  const found: ItemCount[] = [];
  const countItem: Draft["count"] = (kind, wantedName, itemCount = 1) => {
    const known = new Set(found.map(({ what }) => what));
    let what = wantedName;
    for (let number = 2; known.has(what); number += 1) what = `${wantedName} (${number})`;
    found.push({ kind, what, count: itemCount });
    return what;
  };
  const findFreeName: Draft["nameFor"] = (section, wantedName) => {
    const names = new Set(setUp[section].map(({ name }) => name));
    const shown = wantedName.replaceAll(UNPRINTED, " ").trim();
    const plain = shortenName(shown === "" ? "Unnamed" : shown, NAME_MAX_CODE_POINTS);
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? "" : ` (${number})`;
      const name = `${shortenName(plain, NAME_MAX_CODE_POINTS - end.length)}${end}`;
      if (names.has(name)) continue;
      if (number > 1)
        createRemarker("different")(
          `${nouns[section]} ${name}`,
          `The name ${plain} is already used, so this name has a number added.`,
        );
      return name;
    }
  };
  return {
    setUp,
    remarks,
    found,
    people: [],
    senders: new Map(),
    checks: [],
    warn: createRemarker("warning"),
    count: countItem,
    taken: createRemarker("taken"),
    different: createRemarker("different"),
    left: createRemarker("left"),
    missing: createRemarker("missing"),
    nameFor: findFreeName,
    addKey: (wanted, source, what = `Key ${wanted}`) => {
      if (setUp.keys.length >= API_KEYS_MAX) {
        createRemarker("left")(
          what,
          `A workspace has at most ${API_KEYS_MAX} API keys: let several senders share a key, and distinguish their events by conditions.`,
        );
        return undefined;
      }
      const name = findFreeName("keys", wanted);
      setUp.keys.push({ name, ...(source === undefined ? {} : { source }) });
      return name;
    },
    addGroup: (wanted, members, schedule) => {
      const name = findFreeName("groups", wanted);
      const people = schedule === undefined ? members : [...members, ...listScheduleUsers(schedule)];
      setUp.groups.push({ name, members: [...new Set(people)] });
      if (schedule !== undefined) setUp.schedules.push({ group: name, ...schedule });
      return name;
    },
  };
};

/** Returns the layers that fit into a schedule: `rotations`, then the last of `overrides`. Reports layers that do not fit. */
export const takeFittingLayers = (
  draft: Draft,
  what: string,
  rotations: readonly FileLayer[],
  ...overrides: readonly (readonly FileLayer[])[]
): FileLayer[] => {
  const reportOmitted = (count: number, kind: string) => {
    if (count > 0) draft.left(`${what}: ${count} layers of ${kind}`, `A schedule has at most ${LAYERS_MAX} layers.`);
  };
  reportOmitted(rotations.length - LAYERS_MAX, "rotations");
  let room = Math.max(0, LAYERS_MAX - rotations.length);
  const kept = overrides.toReversed().map((layers) => {
    reportOmitted(layers.length - room, "overrides (the latest)");
    const held = layers.slice(0, room);
    room -= held.length;
    return held;
  });
  return [...rotations.slice(-LAYERS_MAX), ...kept.reverse().flat()];
};

/** Returns a function that finds a person's email address by id. The function reports a missing person by the name `shown`. */
export const createEmailReader =
  (draft: Draft, people: ReadonlyMap<string, string>) =>
  (id: string, shown: string): string | undefined => {
    const email = people.get(id);
    if (email === undefined)
      draft.left(
        `Person ${shown === id ? id : `${shown} (${id})`}`,
        "The export has no person with this id who has an email address. Nobody is on call in this person's turns.",
      );
    return email;
  };

const ALWAYS_START = "2020-01-06T00:00";

/**
 * Returns the groups through which a rule notifies the targets; adds a group for people. `onCallOnly`: whether the rule notifies
 * only people on call. If true, the schedule of an added group has all of its people on call.
 */
export const addGroupsForTargets = (
  draft: Draft,
  escalationName: string,
  targets: readonly FileTarget[],
): { groups: string[]; onCallOnly: boolean } => {
  const groups = targets.flatMap((target) => ("group" in target ? [target] : []));
  const users = targets.flatMap((target) => ("user" in target ? [target.user] : []));
  const onCallOnly = groups.some((target) => target.onCallOnly);
  const whole = onCallOnly ? groups.filter((target) => !target.onCallOnly) : [];
  const members = whole.flatMap(({ group }) => draft.setUp.groups.find(({ name }) => name === group)?.members ?? []);
  const always = [...new Set([...users, ...members])];
  const names = groups.filter((target) => !whole.includes(target)).map(({ group }) => group);
  if (always.length === 0) return { groups: names, onCallOnly };
  const layer: FileLayer = { start: ALWAYS_START, every: 1, unit: "week", participants: [always.slice(0, 10)] };
  const schedule = { timeZone: "UTC", layers: [layer] };
  if (onCallOnly && always.length > 10)
    draft.left(
      `${escalationName}: ${always.slice(10).join(", ")}`,
      "Besides the people on call, a level can notify at most 10 people.",
    );
  return {
    groups: [...names, draft.addGroup(`${escalationName}: first`, always, onCallOnly ? schedule : undefined)],
    onCallOnly,
  };
};
