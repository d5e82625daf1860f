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

  it.each([
    ["without the list of alerts", {}],
    ["with a text instead of the list of alerts", { alerts: "x" }],
    ["with a number in the list of alerts", { alerts: [1] }],
  ])("refuses a message %s", (_, payload) => {
    const reader = createMappedAdapter({ resource: "tool", title: ["title"], alerts: "alerts" });

    expect(v.safeParse(reader, payload).issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
      ["alerts", "alerts must be a list of objects, as the API key's mapping says."],
    ]);
  });

  it.each([
    ["as firing if it is not a resolved state", "ALERT", { is: ["OK"] }, "firing"],
    ["as resolved if it is one of the resolved states", "OK", { is: ["FINE", "OK"] }, "resolved"],
    ["as resolved if it is the number 0 and the resolved state is the text 0", 0, { is: ["0"] }, "resolved"],
    ["as firing if it is missing", undefined, { is: ["OK"] }, "firing"],
  ])("reads a tool's state %s", (_, state, resolved, action) => {
    expect(draftOf({ resolved: { path: "state", ...resolved } }, { state })?.action).toBe(action);
  });

  it.each([
    ["bad as URGENT if it is mapped to CRITICAL", "bad", { bad: "CRITICAL" }, "URGENT"],
    ["P2 as HIGH if it is not mapped", "P2", {}, "HIGH"],
    ["P2 as LOW if it is mapped to LOW", "P2", { P2: "LOW" }, "LOW"],
    ["toString as none, because it is not mapped", "toString", {}, undefined],
    ["that is missing as none", undefined, {}, undefined],
  ])("reads the priority %s", (_, level, priorities, priority) => {
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
    ["in seconds", 1_795_262_400, 1_795_262_400_000],
    ["in seconds in a text", "1795262400", 1_795_262_400_000],
    ["in milliseconds", 1_795_262_400_500, 1_795_262_400_500],
    ["in seconds with a fraction", 1_795_262_400.25, 1_795_262_400_250],
    ["of 100,000,000,000 as milliseconds", 100_000_000_000, 100_000_000_000],
    ["in ISO 8601", "2026-11-22T10:00:00Z", 1_795_341_600_000],
    ["that is the word yesterday as no time", "yesterday", undefined],
    ["that is null as no time", null, undefined],
  ])("reads a time %s", (_, at, moment) => {
    expect(draftOf({ changedAt: ["at"] }, { at })?.changedAt).toBe(moment);
  });

  it.each([
    ["starts an alert for a firing state", { firing: ["down"] }, "down", "firing"],
    ["ignores a state that is not among the firing states", { firing: ["down"] }, "pending", undefined],
    ["ignores a message without a state if firing states are listed", { firing: ["down"] }, undefined, undefined],
    ["ends an alert for a resolved state", { firing: ["down"], resolved: ["up"] }, "up", "resolved"],
    ["ends an alert for a firing and resolved state", { firing: ["down", "up"], resolved: ["up"] }, "up", "resolved"],
    ["ignores an ignored state", { ignored: ["acknowledged"] }, "acknowledged", undefined],
    ["starts an alert for a state that is not ignored", { ignored: ["acknowledged"] }, "down", "firing"],
    ["ignores a state that is both ignored and resolved", { ignored: ["up"], resolved: ["up"] }, "up", undefined],
  ])("%s", (_title, states, state, action) => {
    const mapping = Object.fromEntries(Object.entries(states).map(([name, is]) => [name, { path: "state", is }]));

    expect(draftOf(mapping, { state })?.action).toBe(action);
  });

  it.each([
    ["from fields with a colon between them", [{ join: ["host", "service"] }], "db-1: disk"],
    [
      "from present fields with a text between them",
      [{ join: ["host", "none", "service"], with: " / " }],
      "db-1 / disk",
    ],
    ["from fields with nothing between them", [{ join: ["host", "service"], with: "" }], "db-1disk"],
    ["from the next path if none of the joined fields is present", [{ join: ["none", "nothing"] }, "service"], "disk"],
    ["from joined fields if the first path leads nowhere", ["none", { join: ["service"] }], "disk"],
  ])("builds a title %s", (_, title, expected) => {
    expect(draftOf({ title }, { host: "db-1", service: "disk" })?.title).toBe(expected);
  });

  it("joins several bodies and details with line breaks", () => {
    const join = [{ join: ["a", "b"] }];

    expect(draftOf({ body: join, detail: join }, { a: "1", b: "2" })).toMatchObject({ body: "1\n2", detail: "1\n2" });
  });

  it.each([
    ["finds a field by a quoted name in brackets", 'labels["app.kubernetes.io/name"]', "shop"],
    ["finds a field by a quoted name in brackets after a dot", 'labels.["app.kubernetes.io/name"]', "shop"],
    ["finds a field in a list by its quoted name", 'list.0["a.b"].c', "deep"],
    ["finds a field by a quoted name at the start of a path", '["top.level"]', "top"],
    ["does not find a field by a name with dots that is not quoted", "labels.app.kubernetes.io/name", ""],
  ])("%s", (_title, path, expected) => {
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
    ["a number", [{ name: "A" }, 5], "1"],
    ["null", [null], "0"],
  ])("refuses a message with an entry that is %s", (_, payload, at) => {
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
    ["is accepted with a resource and a title", good, undefined],
    ["is refused with an empty list of paths for the title", { ...good, title: [] }, ["mapping.title"]],
    ["is refused with an incomplete path", { ...good, title: ["a..b"] }, ["mapping.title.0"]],
    ["is refused with a text instead of a list of paths", { ...good, body: "text" }, ["mapping.body"]],
    ["is refused with six paths for one field", { ...good, url: ["a", "b", "c", "d", "e", "f"] }, ["mapping.url"]],
    ["is refused with a resource that has a space", { ...good, resource: "My Tool" }, ["mapping.resource"]],
    ["is refused with the reserved resource service", { ...good, resource: "service" }, ["mapping.resource"]],
    ["is refused with the reserved resource heartbeat", { ...good, resource: "heartbeat" }, ["mapping.resource"]],
    ["is refused with an unknown priority", { ...good, priorities: { bad: "BAD" } }, ["mapping.priorities.bad"]],
    ["is refused with no states", { ...good, resolved: { path: "state", is: [] } }, ["mapping.resolved.is"]],
    [
      "is refused with a wrong path for a state",
      { ...good, firing: { path: "a..b", is: ["x"] } },
      ["mapping.firing.path"],
    ],
    ["is refused with a path but no states", { ...good, ignored: { path: "state" } }, ["mapping.ignored.is"]],
    ["is accepted with joined paths", { ...good, title: [{ join: ["a", "b"], with: ", " }], each: true }, undefined],
    ["is refused with an empty list of joined paths", { ...good, title: [{ join: [] }] }, ["mapping.title.0.join"]],
    ["is refused with joined paths for a link", { ...good, url: [{ join: ["a"] }] }, ["mapping.url.0"]],
    ["is refused if the field each is false", { ...good, each: false }, ["mapping.each"]],
    ["is refused with an unknown field", { ...good, titel: ["title"] }, ["mapping.titel"]],
    ["is refused without a title", { resource: "tool" }, ["mapping.title"]],
    ["is refused if it is missing", undefined, ["mapping"]],
  ])("%s", (_title, mapping, faults) => {
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

  it.each(ignored)("has variants that create no event: variant %$", (message) => {
    expect(mapAndFit(message)).toEqual([]);
  });
});
