import { describe, expect, it } from "vitest";
import type { FileTarget } from "../../../setup/file.ts";
import { addGroupsForTargets, createDraft, createEmailReader, takeFittingLayers } from "../../../setup/import/draft.ts";
import { addEscalationPolicy, type Level } from "../../../setup/import/escalation.ts";
import type { FileLayer } from "../../../setup/import/rotation.ts";

const user = (name: string): FileTarget => ({ user: name });
const group = (name: string, onCallOnly = false): FileTarget => ({ group: name, onCallOnly });
const level = (afterMinutes: number, ...targets: FileTarget[]): Level => ({ afterMinutes, targets });
const once = { times: 0, afterMinutes: 0 };
const layer = (start: string): FileLayer => ({ start, every: 1, unit: "week", participants: ["a"] });

const aDraft = () => {
  const draft = createDraft();
  for (const name of ["Web", "Ops"]) draft.addGroup(name, [`${name}@x`]);
  draft.addGroup("Empty", []);
  return draft;
};

const addPolicy = (levels: readonly Level[], repeated = once) => {
  const draft = aDraft();
  const recipients = addEscalationPolicy(draft, { name: "E", levels, repeated });
  const [policy] = draft.setUp.policies;
  return {
    recipients,
    draft,
    repeat: policy?.repeat,
    steps: policy?.steps.map(({ delayMinutes, targets }) => [delayMinutes, targets]),
    remarks: draft.remarks.map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
  };
};

const FIRST_AGAIN =
  "different: Escalation E: If nobody has acknowledged after the last repetition, the first level is notified once more.";

describe("an imported escalation policy", () => {
  it("with one level becomes the groups of a rule, which then has no policy", () => {
    expect(addPolicy([level(0, group("Web", true), group("Ops", true))])).toMatchObject({
      recipients: { groups: ["Web", "Ops"], onCallOnly: true, policy: null },
      steps: undefined,
      remarks: ["taken: Escalation E: notified first: Web, Ops; there are no later levels"],
    });
  });

  it("with more levels becomes a policy with the same delays", () => {
    const { draft, ...made } = addPolicy([
      level(0, group("Web")),
      level(10, user("a@x")),
      level(25, group("Ops", true)),
    ]);

    expect(made).toEqual({
      recipients: { groups: ["Web"], onCallOnly: false, policy: "E" },
      repeat: 0,
      steps: [
        [10, [user("a@x")]],
        [15, [group("Ops", true)]],
      ],
      remarks: ["taken: Escalation E: policy E with 2 steps; notified first: Web"],
    });
    expect(draft.setUp.policies[0]).toMatchObject({ confirmWithinSeconds: null, ackMinutes: null });
  });

  it("that begins with a delay begins at once in this service, and keeps its intervals", () => {
    expect(addPolicy([level(5, group("Web")), level(15, user("a@x"))])).toMatchObject({
      steps: [[10, [user("a@x")]]],
      remarks: [
        "different: Escalation E: The first targets are notified at once here, not after 5 minutes; the times between the later levels do not change.",
        "taken: Escalation E: policy E with 1 step; notified first: Web",
      ],
    });
  });

  it.each([
    ["one level, once", [level(0, group("Web"))], { times: 1, afterMinutes: 10 }, 0, [[10, [group("Web")]]], []],
    ["one level, 6 times", [level(0, group("Web"))], { times: 6, afterMinutes: 10 }, 5, [[10, [group("Web")]]], []],
    [
      "one level, 7 times",
      [level(0, group("Web"))],
      { times: 7, afterMinutes: 10 },
      5,
      [[10, [group("Web")]]],
      ["different: Escalation E: The escalation is repeated 5 times, not 6: this is the maximum."],
    ],
    [
      "two levels, twice",
      [level(0, group("Web")), level(5, user("a@x"))],
      { times: 2, afterMinutes: 10 },
      2,
      [
        [5, [user("a@x")]],
        [10, [group("Web")]],
      ],
      [FIRST_AGAIN],
    ],
  ])("that repeats is imported with its repeats (%s)", (_, levels, repeated, repeat, steps, differences) => {
    const made = addPolicy(levels, repeated);

    expect([made.repeat, made.steps]).toEqual([repeat, steps]);
    expect(made.remarks).toEqual([
      ...differences,
      `taken: Escalation E: policy E with ${steps.length} ${steps.length === 1 ? "step" : "steps"}, including the first level; notified first: Web`,
    ]);
  });

  it("skips a level at which nobody is left, and reports that", () => {
    expect(
      addPolicy([level(0, group("Empty")), level(5, group("Web")), level(7, group("Empty"), user("a@x"))]),
    ).toMatchObject({
      recipients: { groups: ["Web"] },
      steps: [[2, [user("a@x")]]],
      remarks: [
        "different: Escalation E: Nobody is in Empty: the level notifies its other targets.",
        "warning: Escalation E: The first level notifies nobody here, so those who would be notified after 5 minutes are notified at once: Web.",
        "taken: Escalation E: policy E with 1 step; notified first: Web",
      ],
    });
    expect(addPolicy([level(0, group("Empty")), level(5)])).toMatchObject({
      recipients: undefined,
      steps: undefined,
      remarks: [
        "different: Escalation E: Nobody is in Empty: the level notifies its other targets.",
        "left: Escalation E: No level of this escalation names anybody whom this service can notify.",
      ],
    });
  });

  it.each([
    [0.2, 1, "The delay here is 1 minutes, not 0.2."],
    [2.5, 3, "The delay here is 3 minutes, not 2.5."],
    [1_440, 1_440, undefined],
    [1_441, 1_440, "The delay here is 1440 minutes, not 1441."],
  ])("rounds its delays to whole minutes from 1 to 1440: %d to %d", (minutes, written, why) => {
    const { steps, remarks } = addPolicy([level(0, group("Web")), level(minutes, user("a@x"))]);

    expect(steps).toEqual([[written, [user("a@x")]]]);
    expect(remarks.filter((remark) => remark.startsWith("different"))).toEqual(
      why === undefined ? [] : [`different: Escalation E: ${why}`],
    );
  });

  it("has at most 20 steps of at most 10 targets, and a rule has at most 10 groups", () => {
    const createUsers = (count: number) => Array.from({ length: count }, (_, index) => user(`u${index}@x`));
    const many = Array.from({ length: 22 }, (_, index) => level(index, group("Web")));
    const listLeft = ({ remarks }: ReturnType<typeof addPolicy>) =>
      remarks.filter((remark) => remark.startsWith("left"));

    const long = addPolicy(many);
    expect([long.steps?.length, listLeft(long)]).toEqual([
      20,
      ["left: Escalation E: 1 levels: A policy has at most 20 steps."],
    ]);
    expect(listLeft(addPolicy(many.slice(0, 21)))).toEqual([]);
    const wide = addPolicy([level(0, group("Web")), level(1, ...createUsers(12))]);
    expect([wide.steps?.[0]?.[1], listLeft(wide)]).toEqual([
      createUsers(10),
      ["left: Escalation E: 2 targets of a level: A step has at most 10 targets."],
    ]);
    expect(listLeft(addPolicy([level(0, group("Web")), level(1, ...createUsers(10))]))).toEqual([]);
    for (const later of [[], [level(5, user("a@x"))]]) {
      const crowded = addPolicy([level(0, ...Array.from({ length: 11 }, () => group("Web"))), ...later]);
      expect([crowded.recipients?.groups.length, listLeft(crowded)]).toEqual([
        10,
        ["left: Escalation E: groups at first: A rule has at most 10 groups."],
      ]);
    }
    expect(listLeft(addPolicy([level(0, ...Array.from({ length: 10 }, () => group("Web")))]))).toEqual([]);
  });
});

describe("the first people that an imported rule notifies", () => {
  it("are a whole group if the policy names only people", () => {
    const draft = aDraft();

    expect(addGroupsForTargets(draft, "E", [user("a@x"), user("b@x"), user("a@x")])).toEqual({
      groups: ["E: first"],
      onCallOnly: false,
    });
    expect(draft.setUp.groups.at(-1)).toEqual({ name: "E: first", members: ["a@x", "b@x"] });
    expect(draft.setUp.schedules).toEqual([]);
  });

  it("become a group that is always on call if the policy also names a schedule", () => {
    const draft = aDraft();

    expect(addGroupsForTargets(draft, "E", [group("Web", true), group("Ops"), user("a@x")])).toEqual({
      groups: ["Web", "E: first"],
      onCallOnly: true,
    });
    expect(draft.setUp.groups.at(-1)).toEqual({ name: "E: first", members: ["a@x", "Ops@x"] });
    expect(draft.setUp.schedules).toEqual([
      {
        group: "E: first",
        timeZone: "UTC",
        layers: [{ start: "2020-01-06T00:00", every: 1, unit: "week", participants: [["a@x", "Ops@x"]] }],
      },
    ]);
    expect(draft.remarks).toEqual([]);
  });

  it("include at most ten single people if the policy also names a schedule, and all people otherwise", () => {
    const people = Array.from({ length: 12 }, (_, index) => user(`u${index}`));
    const [along, alone] = [aDraft(), aDraft()];

    addGroupsForTargets(along, "E", [group("Web", true), ...people]);
    addGroupsForTargets(alone, "E", people);

    expect(along.setUp.schedules[0]?.layers[0]?.participants[0]).toHaveLength(10);
    expect(along.remarks).toEqual([
      { kind: "left", what: "E: u10, u11", why: "Besides the people on call, a level can notify at most 10 people." },
    ]);
    const ten = aDraft();
    addGroupsForTargets(ten, "E", [group("Web", true), ...people.slice(0, 10)]);
    expect([alone.remarks, ten.remarks]).toEqual([[], []]);
  });
});

describe("the setup file that an import writes", () => {
  it("has names that are unique in their section, printable, and short enough", () => {
    const draft = createDraft();
    const addGroup = (wanted: string) => draft.addGroup(wanted, []);

    expect([addGroup(" A\n\tb "), addGroup("A b"), addGroup(""), addGroup("Policy")]).toEqual([
      "A b",
      "A b (2)",
      "Unnamed",
      "Policy",
    ]);
    expect([addGroup("é".repeat(101)), addGroup("é".repeat(100))]).toEqual(["é".repeat(100), `${"é".repeat(96)} (2)`]);
    expect(draft.nameFor("policies", "A b")).toBe("A b");
    expect(draft.remarks).toEqual([
      {
        kind: "different",
        what: "Group A b (2)",
        why: "The name A b is already used, so this name has a number added.",
      },
      {
        kind: "different",
        what: `Group ${"é".repeat(96)} (2)`,
        why: `The name ${"é".repeat(100)} is already used, so this name has a number added.`,
      },
    ]);
  });

  it("contains no remark twice, and its remarks name an item by its kind and its name in the file", () => {
    const draft = createDraft();
    draft.left("A", "B");
    draft.left("A", "B");
    draft.left("A", "C");
    draft.taken("A", "B");
    for (const name of ["K", "K"]) draft.addKey(name);
    draft.setUp.policies.push({ name: "P", repeat: 0, steps: [], confirmWithinSeconds: null, ackMinutes: null });
    draft.nameFor("policies", "P");

    expect(draft.remarks.map(({ kind, what, why }) => `${kind} ${what} ${why.slice(0, 1)}`)).toEqual([
      "left A B",
      "left A C",
      "taken A B",
      "different Key K (2) T",
      "different Policy P (2) T",
    ]);
  });

  it("has up to a hundred API keys with their sources, and further keys are reported", () => {
    const draft = createDraft();
    const names = Array.from({ length: 101 }, (_, index) =>
      draft.addKey(`K${index}`, index === 0 ? "sentry" : undefined),
    );

    expect(draft.setUp.keys.slice(0, 2)).toEqual([{ name: "K0", source: "sentry" }, { name: "K1" }]);
    expect(names.slice(99)).toEqual(["K99", undefined]);
    expect(draft.remarks).toEqual([
      {
        kind: "left",
        what: "Key K100",
        why: "A workspace has at most 100 API keys: let several senders share a key, and distinguish their events by conditions.",
      },
    ]);
  });

  it("puts everybody who takes turns in a group's schedule into that group", () => {
    const draft = createDraft();
    draft.addGroup("G", ["b", "b"], { timeZone: "UTC", layers: [layer("1")] });

    expect(draft.setUp.groups).toEqual([{ name: "G", members: ["b", "a"] }]);
    expect(draft.setUp.schedules).toEqual([{ group: "G", timeZone: "UTC", layers: [layer("1")] }]);
  });

  const createLayers = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => layer(String(from + index)));
  it.each([
    [10, 0, 0, 0, []],
    [12, 1, 1, 2, ["2 layers of rotations", "1 layers of overrides (the latest)"]],
    [2, 4, 4, 0, []],
    [2, 6, 4, 0, ["2 layers of overrides (the latest)"]],
    [9, 0, 2, 0, ["1 layers of overrides (the latest)"]],
  ])(
    "has up to ten rotations per schedule, and keeps the most important of %i rotations and %i + %i overrides",
    (rotationCount, firstCount, secondCount, from, left) => {
      const [rotations, first] = [createLayers(0, rotationCount), createLayers(20, firstCount)];
      const second = createLayers(30, secondCount);
      const draft = createDraft();
      const kept = takeFittingLayers(draft, "S", rotations, first, second);

      expect(kept).toHaveLength(10);
      expect(kept.slice(0, rotations.length - from)).toEqual(rotations.slice(from));
      const room = 10 - (rotations.length - from);
      const later = second.slice(0, room);
      expect(kept.slice(rotations.length - from)).toEqual([...first.slice(0, room - later.length), ...later]);
      expect(draft.remarks.map(({ kind, what, why }) => `${kind} ${what}: ${why}`)).toEqual(
        left.map((what) => `left S: ${what}: A schedule has at most 10 layers.`),
      );
    },
  );

  it("gives the name and the id of a person who is not in the export", () => {
    const draft = createDraft();
    const emailOf = createEmailReader(draft, new Map([["1", "a@x"]]));

    expect([emailOf("1", "A"), emailOf("2", "B"), emailOf("3", "3")]).toEqual(["a@x", undefined, undefined]);
    expect(draft.remarks).toEqual(
      ["Person B (2)", "Person 3"].map((what) => ({
        kind: "left",
        what,
        why: "The export has no person with this id who has an email address. Nobody is on call in this person's turns.",
      })),
    );
  });
});
