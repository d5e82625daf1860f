import { describe, expect, it } from "vitest";

type Named = { id: string; priority: string; rules: object[]; card: unknown };
type List = { open: Named[]; urgencies: object };
type Target = { type: "user"; userId: string } | { type: "group"; groupId: string; onCallOnly: boolean };
type Step = { delayMinutes: number | string; targets: readonly Target[] };
type Asked = Record<"eventId" | "eventKey" | "title" | "body" | "priority" | "data" | "at", string>;
type Pages = {
  listCoverageLosses: (api: unknown, groups: object[], userId: string) => Promise<string[]>;
  readOpen: (api: unknown, isShared: boolean) => Promise<List>;
  readOpenEvents: (api: unknown, isShared: boolean) => Promise<Named[]>;
  readNotified: (api: unknown, ids: ReadonlySet<string>) => Promise<string[]>;
  describeLeftovers: (detail: object) => string[];
  roleOptions: [string, string][];
  machineRoleOptions: [string, string][];
  buildRun: (steps: readonly Step[], names: object) => object[];
  targetsOf: (names: object) => Target[];
  keyOf: (target: Target) => string;
  readAsked: (query: URLSearchParams) => Asked;
  toQuery: (asked: Asked) => Record<string, string>;
  toInput: (asked: Asked) => object;
  listOfferedActions: (event: object) => string[];
  isLastReachable: (devices: object[], id: string) => boolean;
  listShownCovers: (covers: object[], nowMs: number) => { id: string }[];
  listCoverActions: (cover: object, me: string) => string[];
};
/** Loaded by name, because the files need the types of a browser. */
const files = [
  "devices/reaching",
  "event/offered",
  "groups/losses",
  "inbox/open",
  "on-call/offered-covers",
  "people/leftovers",
  "people/roles",
  "policy/names",
  "what-if/asked",
];
const urls = files.map((file) => new URL(`../../console/pages/${file}.ts`, import.meta.url).href);
const pages = await Promise.all(urls.map((url): Promise<object> => import(/* @vite-ignore */ url)));
const {
  listCoverageLosses,
  readOpen,
  readOpenEvents,
  readNotified,
  describeLeftovers,
  roleOptions,
  machineRoleOptions,
  buildRun,
  targetsOf,
  keyOf,
  readAsked,
  toQuery,
  toInput,
  listOfferedActions,
  isLastReachable,
  listShownCovers,
  listCoverActions,
} = Object.assign({}, ...pages) as Pages;

/** A simulated API: what it was asked, and an answer for each name. */
const anApi = (
  answers: Readonly<Record<string, (asked: { query: Record<string, unknown>; path: object }) => unknown>>,
) => {
  const asked: unknown[] = [];
  const api = async (name: string, ask: { query: Record<string, unknown>; path: object }) => {
    asked.push(ask);
    return answers[name]!(ask);
  };
  return { api, asked };
};

describe("the inbox", () => {
  const event = (n: number, more: object = {}) => ({
    id: `evt_${n}`,
    title: "T",
    eventKey: "disk.full",
    priority: "LOW",
    receivedAt: "2026-11-21T12:07:23.456Z",
    ...more,
  });
  const aList = (items: readonly object[]) =>
    anApi({
      "events/list-events": ({ query: { page, limit } }) => ({
        items: items.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit)),
        total: items.length,
      }),
    });

  it("asks for the reader's events or for all events, and sorts events by urgency", async () => {
    const { api, asked } = aList([event(1, { urgency: "URGENT", rules: [{ id: "r", name: "R" }] }), event(2)]);

    const { open, urgencies } = await readOpen(api, false);
    await readOpen(api, true);

    expect(open.map(({ priority, rules, card }) => [priority, rules.length, card])).toEqual([
      ["URGENT", 1, null],
      ["LOW", 0, null],
    ]);
    expect(urgencies).toEqual({ LOW: 0, NORMAL: 0, HIGH: 0, URGENT: 0 });
    expect(asked).toEqual(
      ["me", undefined].map((user) => ({ query: { state: "open", order: "urgency", user, limit: 500, page: 1 } })),
    );
  });

  it("acknowledges all listed events page by page, each event once", async () => {
    const { api, asked } = aList(Array.from({ length: 1001 }, (_, n) => event(n)));

    const all = await readOpenEvents(api, true);

    expect([new Set(all.map(({ id }) => id)).size, all.length, asked.length]).toEqual([1001, 1001, 3]);
  });

  it("names each notified person once, by the id if the person has no name", async () => {
    const seen = (event: string, id: string, name: string) => ({ event: { id: event }, user: { id, name } });
    const { api } = anApi({
      "notifications/list-notifications": () => [
        seen("evt_1", "usr_a", "Ann"),
        seen("evt_2", "usr_b", "Bob"),
        seen("evt_1", "usr_c", ""),
        seen("evt_1", "usr_a", "Ann"),
      ],
    });

    expect(await readNotified(api, new Set(["evt_1"]))).toEqual(["Ann", "usr_c"]);
  });
});

describe("an escalation policy on its page", () => {
  const names = {
    groups: [{ id: "grp_1", name: "Ops" }],
    members: [{ userId: "usr_a", name: "Ann" }],
  };
  const group = (onCallOnly: boolean, groupId = "grp_1") => ({ type: "group" as const, groupId, onCallOnly });
  const user = (userId: string) => ({ type: "user" as const, userId });

  it("notifies the people of each step after the total delay of the steps before it that notify somebody", () => {
    const steps = [
      { delayMinutes: 5, targets: [group(true), user("usr_a")] },
      { delayMinutes: 7, targets: [] },
      { delayMinutes: "10", targets: [group(false), group(false, "grp_9"), user("usr_z")] },
    ];

    expect(buildRun(steps, names)).toEqual([
      { minutes: 5, who: [expect.stringMatching(/on call.*Ops|Ops.*on call/i), "Ann"] },
      { minutes: 15, who: ["Ops", expect.not.stringContaining("grp_9"), expect.not.stringContaining("usr_z")] },
    ]);
  });

  it("offers each target under its own key", () => {
    expect(targetsOf(names).map(keyOf)).toEqual(["grp_1 on-call", "grp_1", "usr_a"]);
  });
});

it.each([
  ["the last member", [["usr_a"]], ["usr_a"], 1],
  ["the only one on call", [["usr_a", "usr_b"]], ["usr_a"], 1],
  ["one of two on call", [["usr_a", "usr_b"]], ["usr_a", "usr_b"], 0],
  ["a member off call", [["usr_a", "usr_b"]], ["usr_b"], 0],
  ["nobody of the group", [["usr_b"]], ["usr_a"], 0],
])("the console warns exactly as needed when %s leaves a group", async (_, [members = []], onCall, losses) => {
  const { api } = anApi({
    "on-call/list-on-call-now": () => [
      { groupId: "grp_1", onCall: [...onCall.map((userId) => ({ userId, inGroup: true })), { userId: "usr_x" }] },
    ],
    "groups/list-group-members": () => members.map((userId) => ({ userId })),
  });

  const found = await listCoverageLosses(api, [{ id: "grp_1", name: "Ops" }], "usr_a");
  expect(found.map((text) => text.includes("Ops"))).toEqual(Array.from({ length: losses }, () => true));
});

it("a person who leaves is warned about everything that names them, and about nothing else", () => {
  const none = { heartbeats: [], webhooks: [] };
  const said = describeLeftovers({
    made: { ...none, webhooks: [{ name: "Hook" }] },
    schedules: [{ name: "Ops" }],
    policies: [],
  });

  expect(said.map((text) => [text.includes("Hook"), text.includes("Ops")])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(describeLeftovers({ made: none, schedules: [], policies: [] })).toEqual([]);
});

it("the console offers a machine every role but owner", () => {
  expect([roleOptions, machineRoleOptions].map((options) => options.map(([role]) => role))).toEqual([
    ["viewer", "responder", "manager", "owner"],
    ["viewer", "responder", "manager"],
  ]);
});

describe("the simulator's form", () => {
  const asked = { ...readAsked(new URLSearchParams()), eventKey: "disk.full" };

  it("sends a past event, or the typed fields of an invented one, whose body may be omitted", () => {
    expect(toInput({ ...asked, eventId: "evt_1", title: "T" })).toEqual({ eventId: "evt_1" });
    expect(toInput(asked)).toEqual({
      event: { event: "disk.full", title: "disk.full", body: "disk.full", priority: "NORMAL" },
    });
    expect(toInput({ ...asked, title: "T", data: ' {"n":1}', priority: "HIGH" })).toMatchObject({
      event: { title: "T", body: "T", data: { n: 1 }, priority: "HIGH" },
    });
    expect(() => toInput({ ...asked, data: "{" })).toThrow();
  });

  it("restores its fields from the URL that it wrote", () => {
    const typed = {
      ...asked,
      eventId: "evt_1",
      title: "T",
      body: "B",
      priority: "URGENT",
      data: "{}",
      at: "2026-11-21T12:07",
    };

    expect(readAsked(new URLSearchParams(toQuery(typed)))).toEqual(typed);
    expect(readAsked(new URLSearchParams({ priority: "LOUD" })).priority).toBe("NORMAL");
  });
});

it.each([
  ["open", ["acknowledge", "resolve", "snooze", "escalate"]],
  ["acknowledged", ["resolve", "snooze", "escalate"]],
  ["none", ["resolve"]],
  ["suspended", ["resolve"]],
  ["resolved", []],
  ["expired", []],
])("an event that is %s offers the actions %j", (state, offered) => {
  expect(listOfferedActions({ state })).toEqual(offered);
});

describe("a device", () => {
  const good = { id: "dev_2", verified: true, stopped: false, failing: null, mustRenew: false };

  it.each([
    ["reaches the reader", {}, false],
    ["is not verified", { verified: false }, true],
    ["is stopped", { stopped: true }, true],
    ["fails", { failing: { since: "", code: "HARD" } }, true],
    ["must be registered again", { mustRenew: true }, true],
  ])("is the last one that reaches the reader unless another device does: the other device %s", (_, other, isLast) => {
    expect(
      isLastReachable(
        [
          { ...good, id: "dev_1" },
          { ...good, ...other },
        ],
        "dev_1",
      ),
    ).toBe(isLast);
  });
});

describe("a cover on the console", () => {
  const cover = {
    id: "cov_1",
    status: "open",
    start: "2026-11-21T12:00:00Z",
    userId: "usr_bob",
    takenBy: null,
    canTake: true,
    declined: ["usr_cyd"],
  };

  it.each([
    ["somebody who was asked", cover, "usr_ann", ["take", "decline"]],
    ["somebody who has declined", cover, "usr_cyd", ["take"]],
    ["the person who needs it", { ...cover, canTake: false }, "usr_bob", ["withdraw"]],
    [
      "the person who has taken it",
      { ...cover, canTake: false, takenBy: { userId: "usr_ann" } },
      "usr_ann",
      ["withdraw"],
    ],
    ["anybody else", { ...cover, canTake: false }, "usr_dan", []],
  ])("offers %s the actions that they can take", (_, one, me, offered) => {
    expect(listCoverActions(one, me)).toEqual(offered);
  });

  it("is shown while it is open or taken, until the shift begins", () => {
    const all = [
      ...["open", "taken", "withdrawn", "over"].map((status) => ({ ...cover, id: status, status })),
      { ...cover, start: "2026-11-21T11:00:00Z" },
    ];

    expect(listShownCovers(all, Date.parse("2026-11-21T11:00:00Z")).map(({ id }) => id)).toEqual(["open", "taken"]);
  });
});
