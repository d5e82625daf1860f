import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import {
  readActiveFilter,
  readEventFilter,
  readForce,
  readInstant,
  readItemsToRevoke,
  readNotificationFilter,
  readListLimit,
  readPage,
  readPhoneChannel,
  readReportQuery,
  readSite,
  readUserId,
  readStatisticsQuery,
} from "../../../functions/http/query.ts";
import { replyCursorPage, readCursor } from "../../../functions/http/cursor.ts";
import { aRequest, resultOrFaultsOf } from "./support.ts";

const createRequest = (query: Record<string, string>) => aRequest({ query });

describe("a page number and size in a query", () => {
  const wrongPage = ["page invalid page must be a whole number of at least 1."];
  const wrongLimit = ["limit invalid limit must be a whole number of at least 1."];
  it.each([
    ["are 1 and 50 by default", {}, { page: 1, limit: 50 }],
    ["are accepted if both are 1", { page: "1", limit: "1" }, { page: 1, limit: 1 }],
    ["are accepted with a plus sign", { page: "+2", limit: "100" }, { page: 2, limit: 100 }],
    [
      "are accepted with an exponent or with a zero after the decimal point",
      { page: "1e3", limit: "2.0" },
      { page: 1000, limit: 2 },
    ],
    ["are accepted with a signed exponent", { page: "1E+1" }, { page: 10, limit: 50 }],
    ["use the maximum size of 100 instead of 101", { limit: "101" }, { page: 1, limit: 100 }],
    [
      "use the maximum size of 500 instead of 501 for a list by urgency",
      { limit: "501", order: "urgency" },
      { page: 1, limit: 500 },
    ],
    ["are 1 and 50 by default with a cursor too", { cursor: "x" }, { page: 1, limit: 50 }],
    ["are refused for page 0", { page: "0" }, wrongPage],
    ["are refused for a negative page", { page: "-1" }, wrongPage],
    ["are refused for a page with a fraction", { page: "1.5" }, wrongPage],
    ["are refused for an empty page", { page: "" }, wrongPage],
    ["are refused for a page with a letter before its number", { page: "x1" }, wrongPage],
    ["are refused for a page with a letter after its number", { page: "1x" }, wrongPage],
    ["are refused for a page with an empty exponent", { page: "1e" }, wrongPage],
    ["are refused for a page in hexadecimal", { page: "0x10" }, wrongPage],
    ["are refused for a size of 0", { limit: "0" }, wrongLimit],
    ["are refused with two faults if both are letters", { page: "a", limit: "b" }, [...wrongPage, ...wrongLimit]],
    [
      "are refused for a page together with a cursor",
      { page: "2", cursor: "x" },
      ['page invalid "page" cannot be used with "cursor".'],
    ],
  ])("%s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readPage(createRequest(query)))).toEqual(expected);
  });
});

it("an on-call report whose query has only an end covers the month before that end", () => {
  const { from } = readReportQuery(createRequest({ to: "2026-03-01T00:00:00Z" }), Date.UTC(2026, 10));
  expect(from).toBe(Date.UTC(2026, 1));
});

it("the query of a member's removal is refused if it names an unknown kind of items to delete with the member", () => {
  const refused = [expect.stringMatching(/^revoke unknown_value /)];
  expect(resultOrFaultsOf(() => readItemsToRevoke(createRequest({ revoke: "keys,key" })))).toEqual(refused);
});

describe("a sort order in a query", () => {
  const needsOpen = ['order invalid "order" is allowed only with state=open.'];
  it.each([
    ["is accepted for open notifications", { order: "urgency", state: "open" }, { order: "urgency", state: "open" }],
    ["is refused without state=open", { order: "urgency" }, needsOpen],
    [
      "is refused together with a cursor",
      { order: "urgency", state: "open", cursor: "x" },
      ['order invalid "order" cannot be used with "cursor".'],
    ],
    ["can only be urgency", { order: "newest", state: "open" }, ['order unknown_value "order" must be "urgency".']],
  ])("of the notifications list %s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readNotificationFilter(createRequest(query)))).toEqual(expected);
  });

  it("of the events list may be urgency only with state=open", () => {
    expect(resultOrFaultsOf(() => readEventFilter(createRequest({ order: "urgency", state: "resolved" })))).toEqual(
      needsOpen,
    );
    expect(readEventFilter(createRequest({ order: "urgency", state: "open" }))).toMatchObject({ order: "urgency" });
    const own = { user: "me", state: "open" };
    expect(readEventFilter(createRequest({ ...own, order: "urgency" }))).toMatchObject(own);
    expect(resultOrFaultsOf(() => readEventFilter(createRequest(own)))).toEqual([
      'user invalid "user" is allowed only with order=urgency.',
    ]);
  });
});

describe("the notifications list", () => {
  it.each([
    ["has 50 items by default", {}, 50],
    ["has as many items as the query's limit says", { limit: "200" }, 200],
    ["has at most 200 items", { limit: "201" }, 200],
    [
      "is refused if the query's limit is not a number",
      { limit: "none" },
      ["limit invalid limit must be a whole number of at least 1."],
    ],
  ])("%s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readListLimit(createRequest(query)))).toEqual(expected);
  });

  it.each([
    ["has no filter by default", {}, {}],
    ["can be limited to the caller's open notifications", { user: "me", state: "open" }, { user: "me", state: "open" }],
    ["is refused for another member's id", { user: "usr_1" }, ['user unknown_value "user" must be "me".']],
    ["is refused for the state resolved", { state: "resolved" }, ['state unknown_value "state" must be "open".']],
  ])("%s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readNotificationFilter(createRequest(query)))).toEqual(expected);
  });
});

describe("the query of the events list", () => {
  const none = { from: undefined, to: undefined, site: undefined };
  it.each([
    ["has no filter by default", {}, undefined],
    // Sites have an index.
    ["needs no filter for a list of one site", { site: "https://a.example" }, undefined],
    ["can filter by state", { state: "open" }, { ...none, state: "open" }],
    ["can filter by outcome", { outcome: "delivered" }, { ...none, outcome: "delivered" }],
    ["can filter by a pattern of event keys", { eventKey: "order.*" }, { ...none, eventKey: "order.*" }],
    ["can filter by a part of the title", { title: "Disk" }, { ...none, title: "Disk" }],
    [
      "is refused for a title of 101 characters",
      { title: "x".repeat(101) },
      ["title too_long title must have at most 100 characters."],
    ],
    ["can filter by priority, also by the name CRITICAL", { priority: "CRITICAL" }, { ...none, priority: "URGENT" }],
    [
      "can filter by a period and a site",
      { from: "1970-01-01T00:00:01Z", to: "1970-01-01T00:00:01Z", site: "https://A.example/" },
      { from: 1000, to: 1000, site: "https://a.example" },
    ],
    [
      "is refused if its period ends before it starts",
      { from: "1970-01-01T00:00:01Z", to: "1970-01-01T00:00:00Z" },
      ['from invalid "from" must not be later than "to".'],
    ],
    ["can filter by only the end of a period", { to: "1970-01-01T00:00:00Z" }, { ...none, to: 0 }],
    [
      "is refused for an unknown state, with a suggestion",
      { state: "closed" },
      ["state unknown_value state must be one of acknowledged, expired, none, open, resolved. Did you mean resolved?"],
    ],
  ])("%s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readEventFilter(createRequest(query)))).toEqual(expected);
  });

  it.each([
    ["without a site covers the events of all websites", {}, undefined],
    ["with a site covers only the events of that website", { site: "https://A.example/x" }, "https://a.example/x"],
  ])("%s", (_, query, expected) => {
    expect(readSite(createRequest(query))).toBe(expected);
  });

  it("with an invalid site is refused at the field site", () => {
    expect(resultOrFaultsOf(() => readSite(createRequest({ site: "file:///etc" })))).toEqual([
      expect.stringMatching(/^site invalid site must be /),
    ]);
  });
});

describe("the instant in a query", () => {
  it.each([
    ["is optional", {}, undefined],
    ["is read as milliseconds since 1970", { at: "1970-01-01T00:00:01Z" }, 1000],
    ["may have a plus sign, which a query changes to a space", { at: "1970-01-01T01:00:00 01:00" }, 0],
    ["is refused if it is not a time", { at: "yesterday" }, [expect.stringMatching(/^at invalid at must be /)]],
  ])("%s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readInstant(createRequest(query), "at"))).toEqual(expected);
  });
});

describe("the query of the statistics", () => {
  // 22 November 2026 is a Sunday.
  const now = Date.UTC(2026, 10, 22, 12);
  it.each([
    ["covers 12 weeks of the workspace by default", {}, { from: "2026-08-31", to: "2026-11-16", by: "workspace" }],
    [
      "for each rule and with only an end covers the 12 weeks that end in the week of that day",
      { by: "rule", to: "2026-01-12T00:00:00Z" },
      { from: "2025-10-27", to: "2026-01-12", by: "rule" },
    ],
    [
      "for each group and with only a start covers the weeks from that start until now",
      { by: "group", from: "2026-11-20T00:00:00Z" },
      { from: "2026-11-16", to: "2026-11-16", by: "group" },
    ],
    [
      "may cover exactly 53 weeks",
      { from: "2025-01-06T00:00:00Z", to: "2026-01-12T00:00:00Z" },
      { from: "2025-01-06", to: "2026-01-12", by: "workspace" },
    ],
    [
      "may not cover one millisecond more than 53 weeks",
      { from: "2025-01-06T00:00:00Z", to: "2026-01-12T00:00:00.001Z" },
      ['from too_large "from" and "to" must be at most 53 weeks apart.'],
    ],
    ["may start now", { from: "2026-11-22T12:00:00Z" }, { from: "2026-11-16", to: "2026-11-16", by: "workspace" }],
    [
      "may not start after now",
      { from: "2026-11-22T12:00:00.001Z" },
      ['from invalid "from" must not be later than "to".'],
    ],
    ["is refused for statistics by person", { by: "person" }, ['by unknown_value "by" must be one of group, rule.']],
  ])("%s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readStatisticsQuery(createRequest(query), now))).toEqual(expected);
  });
});

describe("an optional query parameter", () => {
  it.each([
    ["has no default", {}, undefined],
    ["may be true", { active: "true" }, true],
    ["may be false", { active: "false" }, false],
    ["may not be 1", { active: "1" }, ["active unknown_value active must be true or false."]],
  ])("for active silences %s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readActiveFilter(createRequest(query)))).toEqual(expected);
  });

  it.each([
    ["is false by default", {}, false],
    ["may be true", { force: "true" }, true],
    ["may be false", { force: "false" }, false],
    ["may not be yes", { force: "yes" }, ["force unknown_value force must be true or false."]],
  ])("for a forced deletion %s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readForce(createRequest(query)))).toEqual(expected);
  });

  it.each([
    ["has no default", {}, undefined],
    ["may be voice", { way: "voice" }, "voice"],
    ["may not be fax", { way: "fax" }, ["way unknown_value way must be one of sms, voice."]],
  ])("for the channel of a phone test %s", (_, query, expected) => {
    expect(resultOrFaultsOf(() => readPhoneChannel(createRequest(query)))).toEqual(expected);
  });
});

it.each([
  ["accepts a user's id", { userId: "usr_0123456789abcdef0123456789abcdef" }, "usr_0123456789abcdef0123456789abcdef"],
  ["is required", {}, ["userId required userId is required."]],
  [
    "refuses a name",
    { userId: "alice" },
    ["userId invalid userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."],
  ],
])("the query parameter userId %s", (_, query, expected) => {
  expect(resultOrFaultsOf(() => readUserId(createRequest(query)))).toEqual(expected);
});

describe("the cursor of a list", () => {
  const createListRequest = (query: Record<string, string> = {}, workspaceId: WorkspaceId = "ws_1") => ({
    ...createRequest(query),
    workspaceId,
  });
  const readNextLink = async (query: Record<string, string>, next = "2026#é") => {
    const { statusCode, headers, body } = await replyCursorPage("events", createListRequest(query), [{ id: 1 }], next);
    expect([statusCode, body]).toEqual([200, '[{"id":1}]']);
    return headers["Link"] ?? "";
  };
  const readCursorIn = (link: string) =>
    new URLSearchParams(/^<\?(.*)>; rel="next"$/.exec(link)?.[1]).get("cursor") ?? "";
  const readPosition = (...[list, request]: Parameters<typeof readCursor>) =>
    readCursor(list, request).catch((error: unknown) =>
      resultOrFaultsOf(() => {
        throw error;
      }),
    );

  it("is part of the link to the next page, which has the same query, and is valid there", async () => {
    const link = await readNextLink({ state: "open", limit: "5", page: "1" });
    const cursor = readCursorIn(link);

    expect(link).toBe(`<?state=open&limit=5&cursor=${cursor}>; rel="next"`);
    expect(await readPosition("events", createListRequest({ state: "open", cursor }))).toBe("2026#é");
    // The request for the next page may have another page size, and its parameters in another order.
    expect(await readPosition("events", createListRequest({ limit: "9", cursor, state: "open" }))).toBe("2026#é");
    expect(readCursorIn(await readNextLink({ state: "open", cursor }, "other"))).not.toBe(cursor);
  });

  it("does not depend on the order of the query parameters", async () => {
    const cursor = readCursorIn(await readNextLink({ state: "open", site: "a" }));

    expect(await readPosition("events", createListRequest({ site: "a", state: "open", cursor }))).toBe("2026#é");
  });

  it("is absent at the end of a list", async () => {
    expect((await replyCursorPage("events", createListRequest(), [], undefined)).headers).not.toHaveProperty("Link");
    expect(await readPosition("events", createListRequest())).toBeUndefined();
  });

  it.each([
    ["for another list", "notifications", {}, "ws_1"],
    ["for another workspace", "events", {}, "ws_2"],
    ["with other filters than before", "events", { state: "open" }, "ws_1"],
  ] as const)("is refused in a request %s", async (_, list, query, workspaceId) => {
    const cursor = readCursorIn(await readNextLink({}));

    expect(await readPosition(list, createListRequest({ ...query, cursor }, workspaceId))).toEqual([
      "cursor invalid cursor must come from an earlier answer of this list, with the same filters.",
    ]);
  });

  it.each(["", "x", "0123456789012345", "0123456789012345MjAyNg"])(
    "is refused if its text is %j, which no answer contained",
    async (cursor) => {
      expect(await readPosition("events", createListRequest({ cursor }))).toHaveLength(1);
    },
  );
});
