import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ApiKeyInput } from "../../../../core/domain/workspace/api-key.ts";
import { fit } from "../../../../core/domain/sources/fit.ts";
import { Mapping } from "../../../../core/domain/basics/mapping.ts";
import { mappedBy } from "../../../../core/domain/sources/mapped.ts";

const draftsOf = (mapping: object, payload: unknown) =>
  v.parse(mappedBy(v.parse(Mapping, { resource: "tool", title: ["title"], ...mapping })), payload);
const draftOf = (mapping: object, payload: object) => draftsOf(mapping, payload)[0];

describe("what a mapping reads", () => {
  it("is the first path that leads to a text, a number or a truth", () => {
    const title = ["none", "deep.list.1", "number"];

    expect(draftOf({ title }, { deep: { list: ["a", "b"] }, number: 5 })).toMatchObject({ title: "b" });
    expect(draftOf({ title }, { deep: { list: ["a", " "] }, number: 0 })).toMatchObject({ title: "0" });
    expect(draftOf({ title }, { deep: "text", number: { a: 1 } })).toMatchObject({ title: "" });
    expect(draftOf({ title: ["toString", "constructor.name", "title.length"] }, { title: "T" })).toMatchObject({
      title: "",
    });
  });

  it("is each alert of a list, and of the message what the alert does not say", () => {
    const mapping = { alerts: "batch.alerts", title: ["name"], body: ["text"], dedupeKey: ["batch.id", "name"] };
    const payload = { text: "All", batch: { id: 7, alerts: [{ name: "A" }, { name: "B", text: "Own" }] } };

    expect(draftsOf(mapping, payload)).toMatchObject([
      { title: "A", body: "All", key: "7:A", data: { name: "A" } },
      { title: "B", body: "Own", key: "7:B", data: { name: "B", text: "Own" } },
    ]);
  });

  it.each([{}, { alerts: "x" }, { alerts: [1] }])("is refused where %j has no such list", (payload) => {
    const reader = mappedBy({ resource: "tool", title: ["title"], alerts: "alerts" });

    expect(v.safeParse(reader, payload).issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
      ["alerts", "alerts must be a list of objects, as the API key's mapping says."],
    ]);
  });

  it.each([
    ["ALERT", { is: ["OK"] }, "firing"],
    ["OK", { is: ["FINE", "OK"] }, "resolved"],
    [0, { is: ["0"] }, "resolved"],
    [undefined, { is: ["OK"] }, "firing"],
  ])("says of the state %j by %j that it is %s", (state, resolved, action) => {
    expect(draftOf({ resolved: { path: "state", ...resolved } }, { state })?.action).toBe(action);
  });

  it.each([
    ["bad", { bad: "CRITICAL" }, "URGENT"],
    ["P2", {}, "HIGH"],
    ["P2", { P2: "LOW" }, "LOW"],
    ["toString", {}, undefined],
    [undefined, {}, undefined],
  ])("has for the word %j with %j the priority %s", (level, priorities, priority) => {
    expect(draftOf({ priority: ["level"], priorities }, { level })?.priority).toBe(priority);
  });

  it.each([
    [1_795_262_400, 1_795_262_400_000],
    ["1795262400", 1_795_262_400_000],
    [1_795_262_400_500, 1_795_262_400_500],
    [1_795_262_400.25, 1_795_262_400_250],
    ["2026-11-22T10:00:00Z", 1_795_341_600_000],
    ["yesterday", undefined],
    [null, undefined],
  ])("has for the time %j the moment %s", (at, moment) => {
    expect(draftOf({ changedAt: ["at"] }, { at })?.changedAt).toBe(moment);
  });

  it("has no key where no path leads to one", () => {
    expect(draftOf({ dedupeKey: ["id"] }, {})?.key).toBe("");
    expect(fit("tool", draftOf({ dedupeKey: ["id"] }, {})!).event).toEqual({
      eventKey: "tool.firing",
      title: "tool: firing",
      body: "tool: firing",
      priority: "NORMAL",
    });
  });
});

describe("a mapping", () => {
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
    [{ ...good, titel: ["title"] }, ["mapping.titel"]],
    [{ resource: "tool" }, ["mapping.title"]],
    [undefined, ["mapping"]],
  ])("%j of a key has the faults %j", (mapping, faults) => {
    expect(faultsOf(mapping)).toEqual(faults);
  });

  it("belongs to no other source", () => {
    expect(faultsOf(good, "github")).toEqual(["mapping"]);
  });
});

const FOLDER = "docs/examples/mapped/";
const Example = v.strictObject({
  mapping: v.unknown(),
  firing: v.unknown(),
  resolved: v.unknown(),
  becomes: v.object({ changedAt: v.optional(v.number()), dedupeKey: v.string() }),
});

describe.each(readdirSync(FOLDER))("the example %s", (file) => {
  const { mapping, firing, resolved } = v.parse(Example, JSON.parse(readFileSync(FOLDER + file, "utf8")));
  const { becomes } = JSON.parse(readFileSync(FOLDER + file, "utf8"));
  const { resource } = v.parse(Mapping, mapping);
  const fitted = (payload: unknown) =>
    draftsOf(v.parse(Mapping, mapping), payload).map((draft) => fit(resource, draft));

  it("becomes an alert, and its end", () => {
    const { changedAt, ...event } = becomes;

    expect(fitted(firing)).toMatchObject([
      { event: { eventKey: `${resource}.firing`, ...event }, changedAt, warnings: [] },
    ]);
    expect(fitted(resolved)).toMatchObject([
      { event: { eventKey: `${resource}.resolved`, resolves: event.dedupeKey }, warnings: [] },
    ]);
  });
});
