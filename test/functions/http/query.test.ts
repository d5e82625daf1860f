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
    [{}, { page: 1, limit: 50 }],
    [
      { page: "1", limit: "1" },
      { page: 1, limit: 1 },
    ],
    [
      { page: "+2", limit: "100" },
      { page: 2, limit: 100 },
    ],
    [
      { page: "1e3", limit: "2.0" },
      { page: 1000, limit: 2 },
    ],
    [{ page: "1E+1" }, { page: 10, limit: 50 }],
    // A limit above the maximum becomes the maximum.
    [{ limit: "101" }, { page: 1, limit: 100 }],
    [
      { limit: "501", order: "urgency" },
      { page: 1, limit: 500 },
    ],
    [{ cursor: "x" }, { page: 1, limit: 50 }],
    [{ page: "0" }, wrongPage],
    [{ page: "-1" }, wrongPage],
    [{ page: "1.5" }, wrongPage],
    [{ page: "" }, wrongPage],
    [{ page: "x1" }, wrongPage],
    [{ page: "1x" }, wrongPage],
    [{ page: "1e" }, wrongPage],
    [{ page: "0x10" }, wrongPage],
    [{ limit: "0" }, wrongLimit],
    [{ page: "a", limit: "b" }, [...wrongPage, ...wrongLimit]],
    [{ page: "2", cursor: "x" }, ['page invalid "page" cannot be used with "cursor".']],
  ])("for the query %j, the result or the faults are: %j", (query, expected) => {
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
    [
      { order: "urgency", state: "open" },
      { order: "urgency", state: "open" },
    ],
    [{ order: "urgency" }, needsOpen],
    [{ order: "urgency", state: "open", cursor: "x" }, ['order invalid "order" cannot be used with "cursor".']],
    [{ order: "newest", state: "open" }, ['order unknown_value "order" must be "urgency".']],
  ])("in %j is read as these values or faults: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readNotificationFilter(createRequest(query)))).toEqual(expected);
  });

  it("may be urgency only with state=open", () => {
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
    [{}, 50],
    [{ limit: "200" }, 200],
    [{ limit: "201" }, 200],
    [{ limit: "none" }, ["limit invalid limit must be a whole number of at least 1."]],
  ])("reads the limit of the query %j as this number or fault: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readListLimit(createRequest(query)))).toEqual(expected);
  });

  it.each([
    [{}, {}],
    [
      { user: "me", state: "open" },
      { user: "me", state: "open" },
    ],
    [{ user: "usr_1" }, ['user unknown_value "user" must be "me".']],
    [{ state: "resolved" }, ['state unknown_value "state" must be "open".']],
  ])("reads the filter of the query %j as these values or faults: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readNotificationFilter(createRequest(query)))).toEqual(expected);
  });
});

describe("the query of the events list", () => {
  const none = { from: undefined, to: undefined, site: undefined };
  it.each([
    [{}, undefined],
    // A list of only one site needs no filter, because sites have an index.
    [{ site: "https://a.example" }, undefined],
    [{ state: "open" }, { ...none, state: "open" }],
    [{ outcome: "delivered" }, { ...none, outcome: "delivered" }],
    [{ eventKey: "order.*" }, { ...none, eventKey: "order.*" }],
    [{ title: "Disk" }, { ...none, title: "Disk" }],
    [{ title: "x".repeat(101) }, ["title too_long title must have at most 100 characters."]],
    [{ priority: "CRITICAL" }, { ...none, priority: "URGENT" }],
    [
      { from: "1970-01-01T00:00:01Z", to: "1970-01-01T00:00:01Z", site: "https://A.example/" },
      { from: 1000, to: 1000, site: "https://a.example" },
    ],
    [
      { from: "1970-01-01T00:00:01Z", to: "1970-01-01T00:00:00Z" },
      ['from invalid "from" must not be later than "to".'],
    ],
    [{ to: "1970-01-01T00:00:00Z" }, { ...none, to: 0 }],
    [
      { state: "closed" },
      ["state unknown_value state must be one of acknowledged, expired, none, open, resolved. Did you mean resolved?"],
    ],
  ])("of the form %j is read as this filter, if any, or these faults: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readEventFilter(createRequest(query)))).toEqual(expected);
  });

  it.each([
    [{}, undefined],
    [{ site: "https://A.example/x" }, "https://a.example/x"],
  ])("%j limits the list to the events of this website, if any: %s", (query, expected) => {
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
    [{}, undefined],
    [{ at: "1970-01-01T00:00:01Z" }, 1000],
    // A plus sign in a query is a space.
    [{ at: "1970-01-01T01:00:00 01:00" }, 0],
    [{ at: "yesterday" }, [expect.stringMatching(/^at invalid at must be /)]],
  ])("in %j is read as this time in ms, as none, or as a fault: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readInstant(createRequest(query), "at"))).toEqual(expected);
  });
});

describe("the query of the statistics", () => {
  // 22 November 2026 is a Sunday.
  const now = Date.UTC(2026, 10, 22, 12);
  it.each([
    [{}, { from: "2026-08-31", to: "2026-11-16", by: "workspace" }],
    [
      { by: "rule", to: "2026-01-12T00:00:00Z" },
      { from: "2025-10-27", to: "2026-01-12", by: "rule" },
    ],
    [
      { by: "group", from: "2026-11-20T00:00:00Z" },
      { from: "2026-11-16", to: "2026-11-16", by: "group" },
    ],
    // A period of exactly 53 weeks is valid; one more millisecond is too much.
    [
      { from: "2025-01-06T00:00:00Z", to: "2026-01-12T00:00:00Z" },
      { from: "2025-01-06", to: "2026-01-12", by: "workspace" },
    ],
    [
      { from: "2025-01-06T00:00:00Z", to: "2026-01-12T00:00:00.001Z" },
      ['from too_large "from" and "to" must be at most 53 weeks apart.'],
    ],
    [{ from: "2026-11-22T12:00:00Z" }, { from: "2026-11-16", to: "2026-11-16", by: "workspace" }],
    [{ from: "2026-11-22T12:00:00.001Z" }, ['from invalid "from" must not be later than "to".']],
    [{ by: "person" }, ['by unknown_value "by" must be one of group, rule.']],
  ])("of the form %j is read as these values or faults: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readStatisticsQuery(createRequest(query), now))).toEqual(expected);
  });
});

describe("an optional query parameter", () => {
  it.each([
    [{}, undefined],
    [{ active: "true" }, true],
    [{ active: "false" }, false],
    [{ active: "1" }, ["active unknown_value active must be true or false."]],
  ])("for active silences is read from %j as %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readActiveFilter(createRequest(query)))).toEqual(expected);
  });

  it.each([
    [{}, false],
    [{ force: "true" }, true],
    [{ force: "false" }, false],
    [{ force: "yes" }, ["force unknown_value force must be true or false."]],
  ])("for a forced deletion is read from %j as %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readForce(createRequest(query)))).toEqual(expected);
  });

  it.each([
    [{}, undefined],
    [{ way: "voice" }, "voice"],
    [{ way: "fax" }, ["way unknown_value way must be one of sms, voice."]],
  ])("for the channel of a phone test in %j is read as this value or fault: %j", (query, expected) => {
    expect(resultOrFaultsOf(() => readPhoneChannel(createRequest(query)))).toEqual(expected);
  });
});

it.each([
  [{ userId: "usr_0123456789abcdef0123456789abcdef" }, "usr_0123456789abcdef0123456789abcdef"],
  [{}, ["userId required userId is required."]],
  [{ userId: "alice" }, ["userId invalid userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."]],
])("the query parameter userId in %j is read as this value or fault: %j", (query, expected) => {
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

  it.each(["", "x", "0123456789012345", "0123456789012345MjAyNg"])("is refused if it is %j", async (cursor) => {
    expect(await readPosition("events", createListRequest({ cursor }))).toHaveLength(1);
  });
});
