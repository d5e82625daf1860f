import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { createJsonLog } from "../../core/log.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { fillPath, type Route, routes } from "../../interface/routes.ts";
import { listPathParameters } from "../../interface/contract.ts";
import { startApp, type Ask } from "../world/app.ts";
import { createBodies } from "../support/bodies.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, fillWorkspace, type FilledWorkspace } from "../support/people.ts";
import { askRoute, listNamedRoutes } from "../support/routes.ts";

/*
 * A refused request must not change the table. matrix.test.ts tests ids of other workspaces; test/local tests requests that
 * depend on the gateway (sessions, doubled headers, encoded paths).
 */

const { app, mine, get } = await startFilled();

type Problem = {
  code: string;
  detail: string;
  warnings?: { field: string }[];
  errors?: { field: string; code: string; message: string }[];
};
type Fault = readonly [field: string, message: string];

const KIB = 1024;
const addressOf = (path: string, ids: Partial<FilledWorkspace> = {}): string => fillPath(path, { ...mine, ...ids });
const callerOf = ({ auth }: Route): Ask => (auth === "session" ? { as: alice } : { apiKey: mine.key });

const send = (route: Route, options: Ask) =>
  app.ask<Problem>(addressOf(route.path), { method: route.method, ...callerOf(route), ...options });
const postEvent = routes.find(({ entry }) => entry === "events/post-event")!;
const postEventBody = (body: unknown, headers: Record<string, string> = {}) => send(postEvent, { body, headers });

const askWithoutChange = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
  const before = await app.stand.listItems();
  const result = await ask();
  expect(await app.stand.listItems()).toEqual(before);
  return result;
};

const faultsOf = ({ errors = [] }: Problem): Fault[] => errors.map(({ field, message }) => [field, message]);

const event = { event: "order.failed", title: "Order failed", body: "No stock" };
/** Appends a text to the JSON of an event, because `JSON.stringify` cannot write invalid or repeated fields. */
const appendToEvent = (part: string): string => `${JSON.stringify(event).slice(0, -1)},${part}}`;
const createNested = (levels: number): object => (levels === 1 ? { leaf: 1 } : { in: createNested(levels - 1) });
const createDeepArray = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

const scalar = "The value must be a string, true, false, or a number of at most 38 digits between 1e-130 and 9.99e125.";
const decimal =
  "The value must be a number of at most 38 digits between 1e-130 and 9.99e125, " +
  'or a string with a decimal number such as "12.50"; for the field priority it must be one of LOW, NORMAL, HIGH, URGENT, CRITICAL.';
const number = "must be a number of at most 38 digits between 1e-130 and 9.99e125.";
const key =
  "An event key must be resource.action in lowercase letters, digits and underscores, such as booking.created.";
const reserved = "The prefix service. is reserved: choose another resource.";
const pattern = "A pattern is an exact event key such as booking.created, a prefix such as booking.*, or *.";

describe("an invalid event", () => {
  const rows: readonly (readonly [what: string, body: unknown, faults: readonly Fault[]])[] = [
    [
      "it has the key __proto__",
      appendToEvent('"__proto__":{"a":1}'),
      [["__proto__", "__proto__ is not allowed as a key."]],
    ],
    [
      "its data has the key __proto__",
      appendToEvent('"data":{"in":{"__proto__":{"polluted":true}}}'),
      [["data.in.__proto__", "__proto__ is not allowed as a key."]],
    ],
    [
      "its title has 201 emoji",
      { ...event, title: "🙂".repeat(201) },
      [["title", "title must have at most 200 characters."]],
    ],
    ["a number in it is 1e400", appendToEvent('"data":{"n":1e400}'), [["data.n", `n ${number}`]]],
    ["a number in it is -1e400", appendToEvent('"data":{"n":-1e400}'), [["data.n", `n ${number}`]]],
    [
      "a number in it has 39 digits",
      appendToEvent(`"data":{"n":${"123456789".repeat(5).slice(0, 39)}}`),
      [["data.n", `n ${number}`]],
    ],
    ["its key is service.x", { ...event, event: "service.x" }, [["event", reserved]]],
    ["its key is Service.x", { ...event, event: "Service.x" }, [["event", key]]],
    ["its key is service.x after a space", { ...event, event: " service.x" }, [["event", key]]],
    ["its key is service.x with a line break", { ...event, event: "service.x\n" }, [["event", key]]],
    [
      "several fields are wrong, in which case every fault is named",
      { event: "*", title: "", body: 5, priority: "LOUD", url: 5, data: { list: [] } },
      [
        ["event", key],
        ["title", "title must not be empty."],
        ["body", "body must be a string."],
        ["priority", "A priority is one of LOW, NORMAL, HIGH, URGENT, CRITICAL."],
        ["data.list", "list must be a string, a number, a boolean or an object of these."],
        ["url", "url must be a string."],
      ],
    ],
  ];

  it.each(rows)(
    "is refused with 422, the place of the fault and what is allowed there, when %s",
    async (_, body, faults) => {
      const answer = await askWithoutChange(() => postEventBody(body));

      expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
      expect(faultsOf(answer.body)).toEqual(faults);
    },
  );
});

describe("a valid event", () => {
  const rows: readonly (readonly [what: string, more: object])[] = [
    ["its data are nested 16 levels deep", { data: createNested(16) }],
    ["its data have 32 KiB", { data: { text: "x".repeat(32 * KIB - 11) } }],
    ["its title has 200 emoji", { title: "🙂".repeat(200) }],
    [
      "its data has the names of properties that every object has",
      { data: { constructor: "x", toString: 1, hasOwnProperty: true, prototype: { valueOf: "y" } } },
    ],
    ["a number in it is 1e-130", { data: { n: 1e-130 } }],
    ["a number in it is 9.99e125", { data: { n: 9.99e125 } }],
    ["its texts are made of control characters", { title: "\r\n\u001b[31m", data: { "\r\n": "\u001b]0;x\u0007" } }],
  ];

  it.each(rows)("is accepted unchanged when %s", async (_, more) => {
    const answer = await postEventBody({ ...event, event: "odd.taken", ...more });
    await app.work();

    expect(answer).toMatchObject({ status: 201 });
    const { eventId } = answer.body as unknown as { eventId: string };
    expect(await get(`/events/${eventId}`)).toMatchObject({ ...more, matched: true });
    expect(await app.ask(`/v1/workspaces/${mine.workspaceId}/event-types/odd.taken`, { as: alice })).toMatchObject({
      status: 200,
    });
  });

  it.each([
    ["its url begins with javascript:", { url: "javascript:alert(1)" }, { url: "javascript:alert(1)" }, ["no_link"]],
    ["its link begins with javascript:", { link: "JavaScript:alert(1)" }, { url: "JavaScript:alert(1)" }, ["no_link"]],
    ["half of a surrogate pair is in its title", { title: "a\ud800" }, { title: "a\ufffd" }, ["replaced"]],
    ["NUL is in its data", { data: { a: "\u0000" } }, { data: { a: "\ufffd" } }, ["replaced"]],
    [
      "its optional fields are empty",
      { url: "", dedupeKey: "", detail: "" },
      { url: null, dedupeKey: null, detail: null },
      ["empty", "empty", "empty"],
    ],
  ])("is accepted, with a warning about each field that is not used as sent, when %s", async (_, more, kept, codes) => {
    const answer = await postEventBody({ ...event, event: "odd.mended", ...more });
    await app.work();

    expect(answer).toMatchObject({ status: 201, body: { warnings: codes.map((code) => ({ code })) } });
    const { eventId } = answer.body as unknown as { eventId: string };
    expect(await get(`/events/${eventId}`)).toMatchObject({ ...kept, matched: true });
    expect(app.pushed.at(-1)?.data?.["url"]).toBeUndefined();
  });

  it("is accepted without a site when its site is not a web address", async () => {
    const answer = await postEventBody({ ...event, data: { site: "javascript:alert(1)", site_name: "Evil" } });
    await app.work();

    expect(answer.status).toBe(201);
    expect(JSON.stringify(await get("/sites"))).not.toContain("Evil");
  });

  it("fulfils no condition on an inherited property such as constructor", async () => {
    const createRuleOn = (field: string) => ({
      event,
      rule: { ...tried, conditions: [{ field, operator: "is_not_empty" }] },
    });
    const tried = { name: "x", eventKey: "*", targets: [{ type: "group", groupId: mine.groupId }] };
    const listMatches = async (body: object) => {
      const answer = await app.ask<{ rules: { id: string | null; matches: boolean }[] }>(
        `/v1/workspaces/${mine.workspaceId}/routing-rules/test`,
        { method: "POST", as: alice, body },
      );
      return answer.body.rules.find(({ id }) => id === null)?.matches;
    };

    expect(await listMatches(createRuleOn("data.constructor"))).toBe(false);
    expect(
      await listMatches({ ...createRuleOn("data.constructor"), event: { ...event, data: { constructor: "x" } } }),
    ).toBe(true);
    expect(await listMatches(createRuleOn("data.toString.length"))).toBe(false);
  });
});

describe("a routing rule", () => {
  const ruleRoutes = [
    ["routing-rules/create-routing-rule", ""],
    ["routing-rules/update-routing-rule", ""],
    ["routing-rules/test-routing-rules", "rule."],
  ] as const;
  const routeOf = (entry: string) => routes.find((one) => one.entry === entry)!;
  const createRuleBody = (entry: string, change: object): object => {
    const good = createBodies(mine)[entry] as { rule?: object };
    return good.rule === undefined ? { ...good, ...change } : { ...good, rule: { ...good.rule, ...change } };
  };

  describe.each(ruleRoutes)("sent to %s", (entry, prefix) => {
    it.each([
      ["service.x", reserved],
      ["service.*", reserved],
      ["Service.x", pattern],
      [" service.x", pattern],
      ["service.x\n", pattern],
      ["a.b.c", pattern],
      ["*.*", pattern],
      ["**", pattern],
    ])("with the event key %j is refused with 422", async (eventKey, message) => {
      const answer = await askWithoutChange(() => send(routeOf(entry), { body: createRuleBody(entry, { eventKey }) }));

      expect(answer.status).toBe(422);
      expect(faultsOf(answer.body)).toEqual([[`${prefix}eventKey`, message]]);
    });

    describe.each(["1e400", "-1e400", "1e126", "1e-131", "123456789012345678901234567890123456789"])(
      "that compares with %s",
      (literal) => {
        it.each([
          ["greater_than", literal, decimal],
          ["equals", literal, scalar],
          ["between", `[0,${literal}]`, decimal],
          ["one_of", `[${literal}]`, scalar],
        ])("with the operator %s is refused with 422", async (operator, value, message) => {
          const conditions = [{ field: "data.amount", operator, value: "here" }];
          const body = JSON.stringify(createRuleBody(entry, { conditions })).replace('"here"', value);

          const answer = await askWithoutChange(() => send(routeOf(entry), { body }));

          expect(answer.status).toBe(422);
          expect(answer.body.errors?.[0]?.message).toBe(message);
          expect(answer.body.errors?.[0]?.field).toMatch(/^(?:rule\.)?conditions\[0\]\.value/);
        });
      },
    );
  });
});

const createFullBodies = (ids: FilledWorkspace): Readonly<Record<string, object>> => {
  const bodies = createBodies(ids);
  const conditions = [
    { field: "data.tier", operator: "one_of", value: ["gold"] },
    { field: "title", operator: "contains", value: "down" },
  ];
  const layer = {
    start: "2026-11-02T09:00",
    every: 1,
    unit: "day",
    participants: [ids.userId],
    restrictions: [{ days: ["mon"], from: "09:00", to: "17:00" }],
  };
  const fullEvent = {
    ...event,
    priority: "HIGH",
    detail: "More",
    url: "https://a.example",
    dedupeKey: "one",
    resolves: "another",
    data: { site: "https://shop.example", site_name: "Shop", in: { tier: "gold" } },
  };
  const rule = {
    ...bodies["routing-rules/create-routing-rule"],
    conditions,
    conditionMatch: "any",
    priorityOverride: "LOW",
  };
  return {
    ...bodies,
    "events/post-event": fullEvent,
    "routing-rules/create-routing-rule": rule,
    "routing-rules/update-routing-rule": rule,
    "routing-rules/test-routing-rules": { event: fullEvent, rule },
    "devices/register-device": { token: "full-token", platform: "web", name: "Browser" },
    "on-call/put-on-call": { timeZone: "UTC", layers: [layer] },
    "escalation-policies/update-escalation-policy": {
      name: "Changed",
      ...bodies["escalation-policies/update-escalation-policy"],
    },
  };
};

type Leaf = { field: string; put: (value: unknown) => unknown };

/**
 * Lists the texts in a body. `field`: the text's path, as in the API's faults. `put`: returns the body with another value there.
 */
const listLeaves = (value: unknown, field = ""): Leaf[] => {
  if (typeof value === "string") return [{ field, put: (other) => other }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const path = Array.isArray(value) ? `${field}[${key}]` : `${field}${field === "" ? "" : "."}${key}`;
    return listLeaves(inner, path).map(({ field, put }) => ({
      field,
      put: (other: unknown) =>
        Array.isArray(value)
          ? value.map((item: unknown, index) => (String(index) === key ? put(other) : item))
          : { ...value, [key]: put(other) },
    }));
  });
};

/** Receipts are left out, because they get the same answer for every fault (receipts.test.ts). */
const withBody = routes.filter(({ entry, auth }) => auth !== "receipt" && entry in createBodies({} as FilledWorkspace));

describe.each(listNamedRoutes(withBody))("the operation %s", (_, route) => {
  const createFullBody = () => JSON.stringify(createFullBodies(mine)[route.entry]);

  it.each([
    [
      "malformed JSON",
      '{"name":"x"',
      "The body is not JSON at line 1, column 12: expected a comma or }, found the end.",
    ],
    ["empty", "", "The body is empty; it must be a JSON object."],
    ["two objects", "{}{}", 'The body is not JSON at line 1, column 3: expected the end of the body, found "{".'],
    [
      "JSON with NaN",
      '{"name":NaN}',
      'The body is not JSON at line 1, column 9: expected a value, found "N". ' +
        "JSON has no NaN or Infinity. Leave the field out.",
    ],
    ["JSON after a byte order mark", "\ufeff{}", "The body begins with a byte order mark. Remove it."],
    ["an array", "[]", "The body must be a JSON object, not a list. Send one request for each entry of the list."],
    ["null", "null", "The body must be a JSON object, not null."],
    ["a text", '"{}"', "The body must be a JSON object, not a string: the body is JSON encoded twice."],
    ["a number", "5", "The body must be a JSON object, not a number."],
    [
      "30,000 arrays in one another",
      createDeepArray(30_000),
      "The body must be a JSON object, not a list. Send one request for each entry of the list.",
    ],
  ])("refuses with 400 a body that is %s", async (_, body, detail) => {
    const answer = await askWithoutChange(() => send(route, { body }));

    expect(answer).toMatchObject({ status: 400, body: { code: "malformed_json", detail } });
  });

  it.each(["text/plain", "", "application/xml", "application/jsonp", "text/json", "application/json-patch+json"])(
    "refuses the content type %j with 415",
    async (type) => {
      const answer = await askWithoutChange(() =>
        send(route, { body: createFullBody(), headers: { "content-type": type } }),
      );

      expect(answer).toMatchObject({
        status: 415,
        body: {
          code: "unsupported_media_type",
          detail: expect.stringMatching(/^The Content-Type must be application\/json, /) as string,
        },
      });
    },
  );

  it.each([
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=utf-8",
    " APPLICATION/JSON ;x",
  ])("accepts the content type %j", async (type) => {
    const answer = await send(route, {
      body: `{"__proto__":1,${createFullBody().slice(1)}`,
      headers: { "content-type": type },
    });

    // 422 means that the content type was accepted, and that the body is invalid.
    expect(answer.status).toBe(422);
  });

  it("accepts a body of 256 KiB, and refuses one byte more with 413", async () => {
    const fits = '{"__proto__":"ä"}'.padEnd(256 * KIB - 1, " ");

    expect((await askWithoutChange(() => send(route, { body: fits }))).status).toBe(422);
    expect(await askWithoutChange(() => send(route, { body: `${fits} ` }))).toMatchObject({
      status: 413,
      body: { code: "body_too_large", detail: "The body has 262145 bytes; the limit is 262144." },
    });
  });

  it("refuses the key __proto__ at any depth with 422", async () => {
    for (const body of [
      `{"__proto__":{"a":1},${createFullBody().slice(1)}`,
      `{"x":[{"__proto__":null}],${createFullBody().slice(1)}`,
    ]) {
      const answer = await askWithoutChange(() => send(route, { body }));

      expect(answer.status).toBe(422);
      expect(faultsOf(answer.body)).toContainEqual([
        body.startsWith('{"x"') ? "x[0].__proto__" : "__proto__",
        "__proto__ is not allowed as a key.",
      ]);
    }
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it("does not crash at a body with 30,000 levels of nesting", async () => {
    const answer = await askWithoutChange(() =>
      send(route, { body: `{"__proto__":0,"name":${createDeepArray(30_000)}}` }),
    );

    expect(answer.status).toBe(422);
  });

  it("answers NUL and half surrogate pairs with 422 and the path of the text; in an event, they are replaced", async () => {
    const body: unknown = JSON.parse(createFullBody());
    const leaves = listLeaves(body);
    expect(leaves.length).toBeGreaterThan(0);

    for (const { field, put } of leaves)
      for (const bad of ["\u0000", "a\u0000b", "\ud800", "\udc00x"]) {
        const ofEvent =
          route.entry === "events/post-event" ? field : /^event\.(?<field>.*)$/.exec(field)?.groups?.["field"];
        if (ofEvent !== undefined && !["event", "priority"].includes(ofEvent)) {
          const mended = await send(route, { body: JSON.stringify(put(bad)) });
          expect({ field, bad, status: mended.status < 300 }).toEqual({ field, bad, status: true });
          expect(mended.body.warnings).toContainEqual(expect.objectContaining({ field: ofEvent, code: "replaced" }));
          continue;
        }
        const answer = await askWithoutChange(() => send(route, { body: JSON.stringify(put(bad)) }));

        expect({ field, bad, status: answer.status }).toEqual({ field, bad, status: 422 });
        expect(answer.body.errors?.some((fault) => fault.field === field && fault.message !== "")).toBe(true);
      }
  });
});

describe("an invalid id in the path of a request", () => {
  const listChildIds = ({ path }: Route) =>
    listPathParameters(path).filter((name) => name !== "workspaceId") as (keyof FilledWorkspace)[];
  const readPrefix = (id: string) => id.slice(0, id.indexOf("_") + 1);
  const listInvalidIds = (validId: string) => [
    "#",
    "a#b",
    `${validId}#MEMBER`,
    "/..",
    "../x",
    "..",
    `${validId}\u0000`,
    `${validId}\n`,
    " ",
    "%23",
    "$ne",
    "__proto__",
    "constructor",
    "x".repeat(3000),
    `${readPrefix(validId)}${"x".repeat(3000)}`,
    `${validId}🙂`,
    `Service.${validId}`,
  ];

  it.each(listNamedRoutes(routes.filter((route) => route.auth === "session" && listChildIds(route).length > 0)))(
    "is answered with 404 in %s, and only the membership and owners are read",
    async (_, route) => {
      const body = createFullBodies(mine)[route.entry];
      for (const child of listChildIds(route))
        for (const id of listInvalidIds(mine[child])) {
          app.stand.usedUnits();
          const answer = await askRoute<Problem>(app, route, { as: alice }, { ...mine, [child]: id }, body);

          expect({ child, id, status: answer.status, units: app.stand.usedUnits() }).toEqual({
            child,
            id,
            status: 404,
            units: !route.path.includes("{workspaceId}") ? 0 : route.role === "owner" ? 2 : 1,
          });
          expect(answer.body).toMatchObject({
            code: "not_found",
            detail: expect.stringMatching(/^This [a-z A-Z]+ does not exist\./) as string,
          });
        }
    },
  );

  it.each(listNamedRoutes(routes.filter(({ path }) => path.includes("{workspaceId}"))))(
    "is answered with 403, without a read, if it is in place of the workspace's id in %s",
    async (_, route) => {
      const body = createFullBodies(mine)[route.entry];
      for (const id of listInvalidIds(mine.workspaceId)) {
        app.stand.usedUnits();
        const answer = await askRoute<Problem>(
          app,
          route,
          { as: alice },
          { ...mine, workspaceId: id as WorkspaceId },
          body,
        );

        expect({ id, status: answer.status, units: app.stand.usedUnits() }).toEqual({ id, status: 403, units: 0 });
      }
    },
  );
});

describe("a page number in a query", () => {
  const pages = ["1e6", "1000000", "9007199254740991", "1e300"];

  it.each(pages)(
    "far beyond the last page is answered with an empty list, and no event is read: page %s",
    async (page) => {
      app.stand.usedUnits();
      const answer = await app.ask(`/v1/workspaces/${mine.workspaceId}/events?page=${page}`, { as: alice });

      expect(answer).toMatchObject({ status: 200, body: { page: Number(page), items: [] } });
      // One unit each for the membership, the item that counts events, and the lost event numbers.
      expect(app.stand.usedUnits()).toBe(3);
      expect([...app.used.get("events/list-events")!].includes("Scan")).toBe(false);
    },
  );

  it.each(["0", "-1", "1.5", "x", "", "1e400", "0x10", "1e-3", "١"])(
    "is answered with 422 if it is invalid: %j",
    async (page) => {
      const answer = await askWithoutChange(() =>
        app.ask<Problem>(`/v1/workspaces/${mine.workspaceId}/events?page=${encodeURIComponent(page)}`, { as: alice }),
      );

      expect(answer.status).toBe(422);
      expect(faultsOf(answer.body)).toEqual([["page", "page must be a whole number of at least 1."]]);
    },
  );

  it("for the events of a website is refused with 422 if it lies beyond the newest 10,000 events", async () => {
    const listPage = (page: number) =>
      app.ask<Problem>(
        `/v1/workspaces/${mine.workspaceId}/events?page=${page}&site=${encodeURIComponent("https://shop.example")}`,
        { as: alice },
      );

    expect((await listPage(200)).status).toBe(200);
    const answer = await listPage(201);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer.body)).toEqual([
      ["page", "Page numbers cover only the newest 10000 events of a site. Follow the Link headers instead."],
    ]);
  });
});

describe("exactly one of 40 simultaneous posts is accepted if a limit allows one more event", () => {
  const generous = { monthlyEvents: 1_000_000, eventsPerMinute: 600_000, burst: 100_000, retentionDays: 400 };

  it.each([
    ["monthlyEvents", { ...generous, monthlyEvents: 5 }, 403, "quota_exceeded"],
    ["burst", { ...generous, eventsPerMinute: 1, burst: 5 }, 429, "rate_limited"],
  ])("for the limit %s", async (_, plan, status, code) => {
    const creator = { userId: alice, name: "Alice", email: "alice@acme.example" };
    const { id } = await createWorkspace(app.deps, { name: "Nearly", creator, plan });
    const { key: apiKey } = await createApiKey(app.deps, id, { name: "Nearly" });
    const postOnce = () => app.ask<Problem>("/v1/events", { method: "POST", apiKey, body: event });
    for (let used = 1; used < 5; used += 1) expect((await postOnce()).status).toBe(201);

    const answers = await Promise.all(Array.from({ length: 40 }, postOnce));

    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status !== 201);
    expect(new Set(refused.map((answer) => `${answer.status} ${answer.body.code}`))).toEqual(
      new Set([`${status} ${code}`]),
    );
    const list = await app.ask<{ items: { eventKey: string }[] }>(`/v1/workspaces/${id}/events`, { as: alice });
    expect(list.body.items.filter(({ eventKey }) => eventKey !== "service.quota")).toHaveLength(5);
  });
});

describe("line breaks and terminal codes in any text", () => {
  const evil = '\r\n\u001b[2J\u009b31m\u2028{"level":"FATAL"}';

  it("never reach the log unescaped: each line stays one JSON object", async () => {
    const lines: string[] = [];
    const log = createJsonLog({ write: (line) => lines.push(line), now: () => 0, stage: "test" });
    const own = await startApp({ log });
    const ids = await fillWorkspace(own, alice);
    const statuses = new Set<number>();
    let asked = 0;

    for (const route of withBody)
      for (const { put } of listLeaves(JSON.parse(JSON.stringify(createFullBodies(ids)[route.entry])))) {
        asked += 1;
        const { status } = await own.ask(addressOf(route.path, ids), {
          method: route.method,
          ...(route.auth === "session"
            ? { as: alice }
            : { apiKey: ids.key, headers: { "idempotency-key": `${asked}${evil}` } }),
          body: put(`odd${evil}`),
        });
        statuses.add(status);
        await own.work();
        own.advance(1000);
      }
    await own.close();

    // 409: there is no step to escalate to, or the event has ended by then.
    expect([...statuses].sort((a, b) => a - b)).toEqual([200, 201, 409, 422]);
    for (const line of lines) expect(line).toMatch(/^\{[\x20-\x7e]*\}$/);
    const codes = lines.map((line) => (JSON.parse(line) as { code?: string }).code);
    expect(codes).toEqual(expect.arrayContaining(["event.accepted", "event.matched", "pack.sent"]));
    expect(lines.join()).not.toMatch(/FATAL|2J/);
  });
});
