import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ApiKeyInput } from "../../../../core/domain/workspace/api-key.ts";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";
import { Mapping } from "../../../../core/domain/basics/mapping.ts";
import { readForm } from "../../../../core/domain/sources/form.ts";
import { createMappedAdapter } from "../../../../core/domain/sources/mapped.ts";

const draftsOf = (mapping: object, payload: unknown) =>
  v.parse(createMappedAdapter(v.parse(Mapping, { resource: "tool", title: ["title"], ...mapping })), payload);
const draftOf = (mapping: object, payload: object) => draftsOf(mapping, payload)[0];

describe("the mapping of a tool's message", () => {
  it("uses the first path that leads to a text, a number or a boolean", () => {
    const title = ["none", "deep.list.1", "number"];

    expect(draftOf({ title }, { deep: { list: ["a", "b"] }, number: 5 })).toMatchObject({ title: "b" });
    expect(draftOf({ title }, { deep: { list: ["a", " "] }, number: 0 })).toMatchObject({ title: "0" });
    expect(draftOf({ title }, { deep: "text", number: { a: 1 } })).toMatchObject({ title: "" });
    expect(draftOf({ title: ["toString", "constructor.name", "title.length"] }, { title: "T" })).toMatchObject({
      title: "",
    });
  });

  it("reads each alert of a list, and takes the fields that an alert lacks from the message", () => {
    const mapping = { alerts: "batch.alerts", title: ["name"], body: ["text"], dedupeKey: ["batch.id", "name"] };
    const payload = { text: "All", batch: { id: 7, alerts: [{ name: "A" }, { name: "B", text: "Own" }] } };

    expect(draftsOf(mapping, payload)).toMatchObject([
      { title: "A", body: "All", key: "7:A", data: { name: "A" } },
      { title: "B", body: "Own", key: "7:B", data: { name: "B", text: "Own" } },
    ]);
  });

  it.each([{}, { alerts: "x" }, { alerts: [1] }])("refuses the message %j, which has no list of alerts", (payload) => {
    const reader = createMappedAdapter({ resource: "tool", title: ["title"], alerts: "alerts" });

    expect(v.safeParse(reader, payload).issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
      ["alerts", "alerts must be a list of objects, as the API key's mapping says."],
    ]);
  });

  it.each([
    ["ALERT", { is: ["OK"] }, "firing"],
    ["OK", { is: ["FINE", "OK"] }, "resolved"],
    [0, { is: ["0"] }, "resolved"],
    [undefined, { is: ["OK"] }, "firing"],
  ])("reads the state %j with the resolved states %j as %s", (state, resolved, action) => {
    expect(draftOf({ resolved: { path: "state", ...resolved } }, { state })?.action).toBe(action);
  });

  it.each([
    ["bad", { bad: "CRITICAL" }, "URGENT"],
    ["P2", {}, "HIGH"],
    ["P2", { P2: "LOW" }, "LOW"],
    ["toString", {}, undefined],
    [undefined, {}, undefined],
  ])("reads the tool's priority %j, mapped by %j, as the priority %s", (level, priorities, priority) => {
    expect(draftOf({ priority: ["level"], priorities }, { level })?.priority).toBe(priority);
  });

  it("uses the first word with a known priority, and keeps all words as the severity", () => {
    const priority = ["none", "color", "level"];

    expect(draftOf({ priority }, { color: "purple", level: "P2" })).toMatchObject({
      priority: "HIGH",
      severity: ["purple", "P2"],
    });
  });

  it.each([
    [1_795_262_400, 1_795_262_400_000],
    ["1795262400", 1_795_262_400_000],
    [1_795_262_400_500, 1_795_262_400_500],
    [1_795_262_400.25, 1_795_262_400_250],
    [100_000_000_000, 100_000_000_000],
    ["2026-11-22T10:00:00Z", 1_795_341_600_000],
    ["yesterday", undefined],
    [null, undefined],
  ])("reads the time %j as the instant %s", (at, moment) => {
    expect(draftOf({ changedAt: ["at"] }, { at })?.changedAt).toBe(moment);
  });

  it.each([
    [{ firing: ["down"] }, "down", "firing"],
    [{ firing: ["down"] }, "pending", undefined],
    [{ firing: ["down"] }, undefined, undefined],
    [{ firing: ["down"], resolved: ["up"] }, "up", "resolved"],
    [{ firing: ["down", "up"], resolved: ["up"] }, "up", "resolved"],
    [{ ignored: ["acknowledged"] }, "acknowledged", undefined],
    [{ ignored: ["acknowledged"] }, "down", "firing"],
    [{ ignored: ["up"], resolved: ["up"] }, "up", undefined],
  ])('with the states %j turns the tool\'s state "%s" into the alert state "%s"', (states, state, action) => {
    const mapping = Object.fromEntries(Object.entries(states).map(([name, is]) => [name, { path: "state", is }]));

    expect(draftOf(mapping, { state })?.action).toBe(action);
  });

  it.each([
    [[{ join: ["host", "service"] }], "db-1: disk"],
    [[{ join: ["host", "none", "service"], with: " / " }], "db-1 / disk"],
    [[{ join: ["host", "service"], with: "" }], "db-1disk"],
    [[{ join: ["none", "nothing"] }, "service"], "disk"],
    [["none", { join: ["service"] }], "disk"],
  ])("with the title fields %j builds the title %s", (title, expected) => {
    expect(draftOf({ title }, { host: "db-1", service: "disk" })?.title).toBe(expected);
  });

  it("joins several bodies and details with line breaks", () => {
    const join = [{ join: ["a", "b"] }];

    expect(draftOf({ body: join, detail: join }, { a: "1", b: "2" })).toMatchObject({ body: "1\n2", detail: "1\n2" });
  });

  it.each([
    ['labels["app.kubernetes.io/name"]', "shop"],
    ['labels.["app.kubernetes.io/name"]', "shop"],
    ['list.0["a.b"].c', "deep"],
    ['["top.level"]', "top"],
    ["labels.app.kubernetes.io/name", ""],
  ])("reads at the path %s the text %j", (path, expected) => {
    const payload = {
      labels: { "app.kubernetes.io/name": "shop" },
      list: [{ "a.b": { c: "deep" } }],
      "top.level": "top",
    };

    expect(draftOf({ title: [path] }, payload)?.title).toBe(expected);
  });

  it("reads a path in JSON that is inside a text", () => {
    const payload = { Message: '{"detail":{"title":"Port probe"}}', broken: "{no" };

    expect(draftOf({ title: ["Message.detail.title"] }, payload)?.title).toBe("Port probe");
    expect(draftOf({ title: ["broken.x", "broken"] }, payload)?.title).toBe("{no");
    expect(draftsOf({ alerts: "list", title: ["n"] }, { list: '[{"n":"A"}]' })).toMatchObject([{ title: "A" }]);
  });

  it("uses the first link that is a valid address", () => {
    const payload = { relative: "/graph", runbook: "https://wiki.example/cpu" };

    expect(draftOf({ url: ["relative", "runbook"] }, payload)?.url).toBe("https://wiki.example/cpu");
    expect(draftOf({ url: ["none", "relative"] }, payload)?.url).toBe("/graph");
  });

  it("reads each entry of a list, or a single entry without a list", () => {
    const mapping = { each: true, title: ["name"], ignored: { path: "name", is: ["B"] } };

    expect(draftsOf(mapping, [{ name: "A" }, { name: "B" }, { name: "C" }]).map(({ title }) => title)).toEqual([
      "A",
      "C",
    ]);
    expect(draftsOf(mapping, { name: "A" }).map(({ title }) => title)).toEqual(["A"]);
    expect(draftsOf({ title: ["1.name"] }, [{ name: "A" }, { name: "B" }]).map(({ title }) => title)).toEqual(["B"]);
    expect(draftsOf({ ...mapping, alerts: "of" }, [{ of: [{ name: "A" }] }, { of: [{ name: "C" }] }])).toHaveLength(2);
  });

  it.each([
    [[{ name: "A" }, 5], "1"],
    [[null], "0"],
  ])("refuses the message %j, which has an entry that is not an object", (payload, at) => {
    const reader = createMappedAdapter({ resource: "tool", title: ["name"], each: true });

    expect(v.safeParse(reader, payload).issues?.map((issue) => v.getDotPath(issue))).toEqual([at]);
  });

  it("warns about a severity that it does not know", () => {
    const draft = draftOf({ priority: ["level"] }, { level: "purple" });

    expect(fitDraft("tool", draft!)).toMatchObject({
      event: { priority: "NORMAL" },
      warnings: [{ field: "priority", message: "priority is NORMAL: purple is not a known severity." }],
    });
  });

  it("sets no dedupeKey if no path leads to one", () => {
    expect(draftOf({ dedupeKey: ["id"] }, {})?.key).toBe("");
    expect(fitDraft("tool", draftOf({ dedupeKey: ["id"] }, {})!).event).toEqual({
      eventKey: "tool.firing",
      title: "tool: firing",
      body: "tool: firing",
      priority: "NORMAL",
    });
  });
});

describe("the request body for a mapping", () => {
  const faultsOf = (mapping: unknown, source = "mapped") =>
    v.safeParse(ApiKeyInput, { name: "K", source, mapping }).issues?.map((issue) => v.getDotPath(issue));
  const good = { resource: "tool", title: ["title"] };

  it.each([
    [good, undefined],
    [{ ...good, title: [] }, ["mapping.title"]],
    [{ ...good, title: ["a..b"] }, ["mapping.title.0"]],
    [{ ...good, body: "text" }, ["mapping.body"]],
    [{ ...good, url: ["a", "b", "c", "d", "e", "f"] }, ["mapping.url"]],
    [{ ...good, resource: "My Tool" }, ["mapping.resource"]],
    [{ ...good, resource: "service" }, ["mapping.resource"]],
    [{ ...good, resource: "heartbeat" }, ["mapping.resource"]],
    [{ ...good, priorities: { bad: "BAD" } }, ["mapping.priorities.bad"]],
    [{ ...good, resolved: { path: "state", is: [] } }, ["mapping.resolved.is"]],
    [{ ...good, firing: { path: "a..b", is: ["x"] } }, ["mapping.firing.path"]],
    [{ ...good, ignored: { path: "state" } }, ["mapping.ignored.is"]],
    [{ ...good, title: [{ join: ["a", "b"], with: ", " }], each: true }, undefined],
    [{ ...good, title: [{ join: [] }] }, ["mapping.title.0.join"]],
    [{ ...good, url: [{ join: ["a"] }] }, ["mapping.url.0"]],
    [{ ...good, each: false }, ["mapping.each"]],
    [{ ...good, titel: ["title"] }, ["mapping.titel"]],
    [{ resource: "tool" }, ["mapping.title"]],
    [undefined, ["mapping"]],
  ])("with %j has faults in these fields (undefined: no fault): %j", (mapping, faults) => {
    expect(faultsOf(mapping)).toEqual(faults);
  });

  it("is refused for an API key of another source", () => {
    expect(faultsOf(good, "github")).toEqual(["mapping"]);
  });
});

const FOLDER = "docs/examples/mapped/";
const Message = v.union([v.string(), v.looseObject({})]);
const Example = v.strictObject({
  mapping: Mapping,
  /** What to configure in the tool so that it sends these messages. */
  sends: v.optional(Message),
  firing: Message,
  resolved: v.optional(Message),
  ignored: v.pipe(v.array(Message), v.minLength(1)),
  becomes: v.strictObject({
    title: v.string(),
    body: v.string(),
    priority: v.string(),
    url: v.optional(v.string()),
    dedupeKey: v.string(),
    changedAt: v.optional(v.number()),
  }),
});

it("an example mapping exists for each tool that the documentation names", () => {
  const page = readFileSync("docs/sources.md", "utf8").replaceAll(/\s+/g, " ");
  const [, names = ""] = /has mappings with example messages and events for (.*?)\. If/.exec(page) ?? [];

  expect(readdirSync(FOLDER).toSorted()).toEqual(
    names
      .split(/, | and /)
      .map((name) => `${name.toLowerCase().replaceAll(/[ .]/g, "-")}.json`)
      .toSorted(),
  );
});

describe.each(readdirSync(FOLDER))("the example message %s", (file) => {
  const { mapping, firing, resolved, ignored, becomes } = v.parse(
    Example,
    JSON.parse(readFileSync(FOLDER + file, "utf8")),
  );
  const { resource } = mapping;
  const mapAndFit = (message: string | object) =>
    v
      .parse(createMappedAdapter(mapping), typeof message === "string" ? readForm(message) : message)
      .map((draft) => fitDraft(resource, draft));

  it("becomes an alert by its mapping", () => {
    const { changedAt, ...event } = becomes;
    const [fired, ...others] = mapAndFit(firing);

    expect(fired).toMatchObject({ changedAt, warnings: [] });
    expect(fired?.event).toEqual({ eventKey: `${resource}.firing`, ...event, data: fired?.event.data });
    expect(others).toEqual([]);
  });

  it.runIf(resolved !== undefined)("has a variant that ends the alert", () => {
    expect(mapAndFit(resolved!)).toMatchObject([
      { event: { eventKey: `${resource}.resolved`, resolves: becomes.dedupeKey }, warnings: [] },
    ]);
  });

  it.each(ignored)("has a variant that is ignored: %j", (message) => {
    expect(mapAndFit(message)).toEqual([]);
  });
});
