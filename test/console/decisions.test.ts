import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

type Named = { id: string; priority: string; rules: object[]; card: unknown };
type List = { open: Named[]; urgencies: object };
type Target = { type: "user"; userId: string } | { type: "group"; groupId: string; onCallOnly: boolean };
type Step = { delayMinutes: number | string; targets: readonly Target[] };
type Asked = Record<"eventId" | "eventKey" | "title" | "body" | "priority" | "data" | "at", string>;
type Period = { start: number; end: number };
type Pages = {
  listCoverageLosses: (api: unknown, groups: object[], userId: string) => Promise<string[]>;
  readOpenPage: (api: unknown, isShared: boolean) => Promise<List>;
  readAllOpenEvents: (api: unknown, isShared: boolean) => Promise<Named[]>;
  readNotifiedNames: (api: unknown, ids: ReadonlySet<string>) => Promise<string[]>;
  describeLeftovers: (detail: object) => string[];
  roleOptions: [string, string][];
  machineRoleOptions: [string, string][];
  listStepTimes: (steps: readonly Step[], names: object) => object[];
  listTargets: (names: object) => Target[];
  toTargetKey: (target: Target) => string;
  readRequest: (query: URLSearchParams) => Asked;
  toQuery: (asked: Asked) => Record<string, string>;
  toSimulationInput: (asked: Asked) => object;
  listOfferedActions: (event: object) => string[];
  isLastReachable: (devices: object[], id: string) => boolean;
  listShownCovers: (covers: object[], nowMs: number) => { id: string }[];
  listCoverActions: (cover: object, me: string) => string[];
  listCoverPeriods: (shift: object, soon: number) => Record<"nights" | "periods", Period[]> & { whole: Period };
  listReturnShifts: (schedule: object | undefined, userId: string, from: number) => object[];
  foldGroups: (items: readonly object[], firsts: ReadonlyMap<string, object>) => { id: string }[];
  readProgress: (context: { api: unknown; me: string }, eventId: string, state: string) => Promise<object>;
  findNextMorning: (at: number) => number | undefined;
  isRelevantRule: (rule: object) => boolean;
  listRecipients: (event: object) => object[];
  parseAddresses: (typed: string) => readonly string[];
};
/** Loaded by name, because the files need the types of a browser. */
const files = [
  "devices/reaching",
  "event/explained",
  "event/next-morning",
  "event/offered",
  "event/progress",
  "events/fold-groups",
  "groups/losses",
  "inbox/open",
  "on-call/cover-periods",
  "on-call/offered-covers",
  "people/addresses",
  "people/leftovers",
  "people/roles",
  "policy/names",
  "simulator/request",
];
const urls = files.map((file) => new URL(`../../console/pages/${file}.ts`, import.meta.url).href);
const pages = await Promise.all(urls.map((url): Promise<object> => import(/* @vite-ignore */ url)));
const {
  listCoverageLosses,
  readOpenPage,
  readAllOpenEvents,
  readNotifiedNames,
  describeLeftovers,
  roleOptions,
  machineRoleOptions,
  listStepTimes,
  listTargets,
  toTargetKey,
  readRequest,
  toQuery,
  toSimulationInput,
  listOfferedActions,
  isLastReachable,
  listShownCovers,
  listCoverActions,
  listCoverPeriods,
  listReturnShifts,
  foldGroups,
  readProgress,
  findNextMorning,
  isRelevantRule,
  listRecipients,
  parseAddresses,
} = Object.assign({}, ...pages) as Pages;

const keyForm = (await import(
  /* @vite-ignore */ new URL("../../console/pages/keys/draft.ts", import.meta.url).href
)) as {
  emptyDraft: object;
  toApiKeyInput: (draft: object) => object;
};

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
  const createEvent = (n: number, fields: object = {}) => ({
    id: `evt_${n}`,
    title: "T",
    eventKey: "disk.full",
    priority: "LOW",
    receivedAt: "2026-11-21T12:07:23.456Z",
    ...fields,
  });
  const aList = (items: readonly object[]) =>
    anApi({
      "events/list-events": ({ query: { page, limit } }) => ({
        items: items.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit)),
        total: items.length,
      }),
    });

  it("requests the user's events or all events, sorted by urgency", async () => {
    const { api, asked } = aList([
      createEvent(1, { urgency: "URGENT", rules: [{ id: "r", name: "R" }] }),
      createEvent(2),
    ]);

    const { open, urgencies } = await readOpenPage(api, false);
    await readOpenPage(api, true);

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
    const { api, asked } = aList(Array.from({ length: 1001 }, (_, n) => createEvent(n)));

    const all = await readAllOpenEvents(api, true);

    expect([new Set(all.map(({ id }) => id)).size, all.length, asked.length]).toEqual([1001, 1001, 3]);
  });

  it("names each notified person once, and shows the id of a person without a name", async () => {
    const createNotificationOf = (event: string, id: string, name: string) => ({
      event: { id: event },
      user: { id, name },
    });
    const { api } = anApi({
      "notifications/list-notifications": () => [
        createNotificationOf("evt_1", "usr_a", "Ann"),
        createNotificationOf("evt_2", "usr_b", "Bob"),
        createNotificationOf("evt_1", "usr_c", ""),
        createNotificationOf("evt_1", "usr_a", "Ann"),
      ],
    });

    expect(await readNotifiedNames(api, new Set(["evt_1"]))).toEqual(["Ann", "usr_c"]);
  });
});

describe("an escalation policy on its page", () => {
  const names = {
    groups: [{ id: "grp_1", name: "Ops" }],
    members: ["Bob", "Ann"].map((name) => ({ userId: `usr_${name[0]!.toLowerCase()}`, name })),
  };
  const group = (onCallOnly: boolean, groupId = "grp_1") => ({ type: "group" as const, groupId, onCallOnly });
  const user = (userId: string) => ({ type: "user" as const, userId });

  it("shows each step's people and the sum of the delays so far, without empty steps and their delays", () => {
    const steps = [
      { delayMinutes: 5, targets: [group(true), user("usr_a")] },
      { delayMinutes: 7, targets: [] },
      { delayMinutes: "10", targets: [group(false), group(false, "grp_9"), user("usr_z")] },
    ];

    expect(listStepTimes(steps, names)).toEqual([
      { minutes: 5, who: [expect.stringMatching(/on call.*Ops|Ops.*on call/i), "Ann"] },
      { minutes: 15, who: ["Ops", expect.not.stringContaining("grp_9"), expect.not.stringContaining("usr_z")] },
    ]);
  });

  it("offers as targets each group, its people on call, and each member, all with different keys", () => {
    expect(listTargets(names).map(toTargetKey)).toEqual(["grp_1 on-call", "grp_1", "usr_b", "usr_a"]);
  });
});

it.each([
  ["the last member", [["usr_a"]], ["usr_a"], 1],
  ["the only person on call", [["usr_a", "usr_b"]], ["usr_a"], 1],
  ["one of two people on call", [["usr_a", "usr_b"]], ["usr_a", "usr_b"], 0],
  ["a member who is off call", [["usr_a", "usr_b"]], ["usr_b"], 0],
  ["somebody who is not in the group", [["usr_b"]], ["usr_a"], 0],
])(
  "if %s leaves an on-call group, the number of groups that are reported to have nobody on call is $3",
  async (_, [members = []], onCall, losses) => {
    const { api } = anApi({
      "on-call/list-on-call-now": () => [
        { groupId: "grp_0", onCall: [] },
        { groupId: "grp_1", onCall: [...onCall.map((userId) => ({ userId, inGroup: true })), { userId: "usr_x" }] },
      ],
      "groups/list-group-members": () => members.map((userId) => ({ userId })),
    });

    const found = await listCoverageLosses(api, [{ id: "grp_1", name: "Ops" }], "usr_a");
    expect(found.map((text) => text.includes("Ops"))).toEqual(Array.from({ length: losses }, () => true));
  },
);

it("before a person leaves, a warning names exactly the items that refer to the person", () => {
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

it("for a machine, the console offers every role except owner", () => {
  expect([roleOptions, machineRoleOptions].map((options) => options.map(([role]) => role))).toEqual([
    ["viewer", "responder", "manager", "owner"],
    ["viewer", "responder", "manager"],
  ]);
});

describe("the simulator's form", () => {
  const asked = { ...readRequest(new URLSearchParams()), eventKey: "disk.full" };

  it("sends a past event, or the typed fields of an invented event, whose body may be left empty", () => {
    expect(toSimulationInput({ ...asked, eventId: "evt_1", title: "T" })).toEqual({ eventId: "evt_1" });
    expect(toSimulationInput(asked)).toEqual({
      event: { event: "disk.full", title: "disk.full", body: "disk.full", priority: "NORMAL" },
    });
    expect(toSimulationInput({ ...asked, title: "T", data: ' {"n":1}', priority: "HIGH" })).toMatchObject({
      event: { title: "T", body: "T", data: { n: 1 }, priority: "HIGH" },
    });
    expect(() => toSimulationInput({ ...asked, data: "{" })).toThrow();
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

    expect(readRequest(new URLSearchParams(toQuery(typed)))).toEqual(typed);
    expect(readRequest(new URLSearchParams({ priority: "LOUD" })).priority).toBe("NORMAL");
  });
});

it.each([
  ["open", "acknowledge, resolve, snooze, escalate"],
  ["acknowledged", "resolve, snooze, escalate"],
  ["none", "resolve"],
  ["suspended", "resolve"],
  ["resolved", "none"],
  ["expired", "none"],
])("the actions that an event in the state %s offers: %s", (state, offered) => {
  expect(listOfferedActions({ state }).join(", ") || "none").toBe(offered);
});

describe("a device", () => {
  const good = { id: "dev_2", verified: true, stopped: false, failing: null, mustRenew: false };

  it.each([
    ["can be reached", {}, false],
    ["is not verified", { verified: false }, true],
    ["is stopped", { stopped: true }, true],
    ["fails", { failing: { since: "", code: "HARD" } }, true],
    ["must be registered again", { mustRenew: true }, true],
  ])(
    "counts as its owner's last reachable device unless the owner's other device is reachable, too: that other device %s",
    (_, other, isLast) => {
      expect(
        isLastReachable(
          [
            { ...good, id: "dev_1" },
            { ...good, ...other },
          ],
          "dev_1",
        ),
      ).toBe(isLast);
    },
  );
});

describe("a request for cover in the console", () => {
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
    ["other people, who have none", { ...cover, canTake: false }, "usr_dan", []],
  ])("offers the available actions to %s", (_, one, me, offered) => {
    expect(listCoverActions(one, me)).toEqual(offered);
  });

  it("is shown while it is open or taken, until the covered shift begins", () => {
    const all = [
      ...["open", "taken", "withdrawn", "over"].map((status) => ({ ...cover, id: status, status })),
      { ...cover, start: "2026-11-21T11:00:00Z" },
    ];

    expect(listShownCovers(all, Date.parse("2026-11-21T11:00:00Z")).map(({ id }) => id)).toEqual(["open", "taken"]);
  });
});

describe("a cover's form, in the user's time zone,", () => {
  beforeAll(() => vi.stubEnv("TZ", "Europe/Berlin"));
  afterAll(() => vi.unstubAllEnvs());
  const toMs = (text: string): number => new Date(text).getTime();

  it.each([
    ["begins after 18:00 and ends before 8:00", "2026-11-23T18:01", "2026-11-26T07:59", ["2026-11-24"]],
    ["begins at 18:00 and ends at 8:00", "2026-11-23T18:00", "2026-11-25T08:00", ["2026-11-23", "2026-11-24"]],
    ["ends in the evening", "2026-11-23T09:00", "2026-11-24T20:00", ["2026-11-23"]],
  ])("offers only complete nights of a shift that %s", (_, start, end, evenings) => {
    const { nights } = listCoverPeriods({ start, end }, 0);

    expect(nights.map((night) => night.start)).toEqual(evenings.map((day) => toMs(`${day}T18:00`)));
  });

  it("offers the rest of the shift, and each of its nights from 18:00 to 8:00, even across a clock change", () => {
    const { periods, nights, whole } = listCoverPeriods(
      { start: "2026-10-23T10:00:00Z", end: new Date("2026-10-26T08:00").toISOString() },
      toMs("2026-10-23T18:13"),
    );

    expect(whole).toEqual({ start: toMs("2026-10-23T18:13"), end: toMs("2026-10-26T08:00") });
    expect(nights).toEqual([
      { start: toMs("2026-10-24T18:00"), end: toMs("2026-10-25T08:00") },
      { start: toMs("2026-10-25T18:00"), end: toMs("2026-10-26T08:00") },
    ]);
    expect(periods).toEqual([whole, ...nights]);
  });

  it("offers the next seven nights of a shift that has no end", () => {
    const { periods, nights } = listCoverPeriods(
      { start: "2026-11-21T10:00:00Z", end: null },
      toMs("2026-11-21T10:00"),
    );

    expect([periods, nights.length]).toEqual([nights, 7]);
  });

  it("offers the colleague's shifts of the next four weeks as shifts to take in return", () => {
    const layer = { start: "2026-11-02T08:00", every: 1, unit: "week", participants: ["usr_ann", "usr_bob"] };
    const schedule = { timeZone: "UTC", layers: [layer], overrides: [] };

    const shifts = listReturnShifts(schedule, "usr_bob", Date.parse("2026-11-02T08:00:00Z"));

    expect(shifts).toEqual([
      { start: "2026-11-09T08:00:00.000Z", end: "2026-11-16T08:00:00.000Z" },
      { start: "2026-11-23T08:00:00.000Z", end: "2026-11-30T08:00:00.000Z" },
    ]);
    expect(listReturnShifts(undefined, "usr_bob", 0)).toEqual([]);
  });
});

it("a list of events shows one row for each group: the event that notified people, at the place of the newest event", () => {
  const createItem = (id: string, groupedInto: string | null = null) => ({ id, groupedInto });
  const items = [
    createItem("e5", "e1"),
    createItem("e4"),
    createItem("e3", "e2"),
    createItem("e2"),
    createItem("e1x", "e0"),
    createItem("e1y", "e0"),
  ];

  const rows = foldGroups(items, new Map([["e1", createItem("e1")]]));

  expect(rows.map(({ id }) => id)).toEqual(["e1", "e4", "e2", "e1x"]);
});

it("an event's page shows the next steps of unacknowledged escalations, and who is on call in the matched rules' groups", async () => {
  const step = (at: string) => ({ at, policy: { id: "pol_1", name: "P" } });
  const createRule = (reason: string, groupId: string, fields: object = {}) => ({
    id: `rul_${groupId}`,
    name: groupId,
    reason,
    groups: [{ groupId }],
    group: null,
    escalation: null,
    ...fields,
  });
  const group = { head: "evt_0" };
  const rules = [
    createRule("notified", "g1", { escalation: { acknowledged: false, next: [step("2026-11-21T12:10:00Z")] } }),
    createRule("notified", "g2", { group, escalation: { acknowledged: false, next: [step("2026-11-21T12:08:00Z")] } }),
    createRule("notified", "g3", { escalation: { acknowledged: true, next: [step("2026-11-21T12:09:00Z")] } }),
    createRule("event_key_differs", "g4"),
  ];
  const onCall = ["g1", "g2", "g3", "g4"].map((groupId) => ({ groupId, hasSchedule: groupId !== "g2" }));
  const { api } = anApi({ "events/explain-event": () => ({ rules }), "on-call/list-on-call-now": () => onCall });

  expect(await readProgress({ api, me: "usr_a" }, "evt_1", "open")).toEqual({
    upcoming: [step("2026-11-21T12:08:00Z"), step("2026-11-21T12:10:00Z")],
    inGroups: [{ id: "rul_g2", name: "g2", group }],
    onCall: [onCall[0], onCall[2]],
  });
});

it.each([
  ["at 08:55 is 9:00 today", "08:55", "2026-11-21T09:00"],
  ["at 08:56 is missing: 9:00 is too near, and 9:00 tomorrow too far", "08:56", undefined],
  ["at 09:00 is 9:00 tomorrow", "09:00", "2026-11-22T09:00"],
  ["at 23:30 is 9:00 tomorrow", "23:30", "2026-11-22T09:00"],
])("the next morning until which an event can be snoozed %s", (_, time, until) => {
  const morning = findNextMorning(new Date(`2026-11-21T${time}`).getTime());

  expect(morning).toBe(until && new Date(until).getTime());
});

it("an event lists each recipient once, with the newest outcome", () => {
  const createOutcome = (id: string, name: string, status: string) => ({ user: { id, name }, status });

  expect(
    listRecipients({
      notifications: [
        createOutcome("usr_a", "Ann", "FAILED"),
        createOutcome("usr_b", "", "SENT"),
        createOutcome("usr_a", "Ann", "ACKNOWLEDGED"),
      ],
    }),
  ).toEqual([
    { id: "usr_a", name: "Ann", status: "ACKNOWLEDGED" },
    { id: "usr_b", name: "usr_b", status: "SENT" },
  ]);
});

it.each([
  ["shows a rule for its event key whose conditions do not match", "condition_differs", true, true],
  ["hides a rule for other event keys", "event_key_differs", true, false],
  ["hides a disabled rule for other event keys", "disabled", false, false],
])("an event's page %s", (_, reason, verdict, shown) => {
  expect(isRelevantRule({ reason, trace: { eventKey: { verdict } } })).toBe(shown);
  expect(isRelevantRule({ reason, trace: null })).toBe(reason !== "event_key_differs");
});

it.each([
  [
    "is split at commas, semicolons, spaces and newlines",
    "a@x.org, b@x.org;c@x.org\nd@x.org ",
    ["a@x.org", "b@x.org", "c@x.org", "d@x.org"],
  ],
  ["stays unchanged if it contains no address", " ", [" "]],
])("a typed list of email addresses %s", (_, typed, addresses) => {
  expect(parseAddresses(typed)).toEqual(addresses);
});

it.each([
  ["any", {}],
  ["mapped", { source: "mapped", mapping: { resource: "x" } }],
  ["sentry", { source: "sentry", signingSecret: "S" }],
  ["grafana", { source: "grafana" }],
])('the form of an API key for the use "%s" sends only the fields of that use', (usedBy, sent) => {
  const typed = { ...keyForm.emptyDraft, name: "K", usedBy, mapping: '{"resource":"x"}', secret: "S" };

  expect(keyForm.toApiKeyInput(typed)).toStrictEqual({ name: "K", mayResolve: "own", ...sent });
  expect(keyForm.toApiKeyInput({ ...typed, secret: "" })).not.toHaveProperty("signingSecret");
  expect(keyForm.toApiKeyInput({ ...typed, patterns: " a.*, b" })).toMatchObject({ eventKeys: ["a.*", "b"] });
});
