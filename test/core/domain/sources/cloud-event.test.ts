import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readAttributes, CloudEvent, CloudEvents } from "../../../../core/domain/sources/cloud-event.ts";

const sent = { specversion: "1.0", id: "A-1", source: "/shop/orders", type: "order.failed" };
const parseEvent = (fields: object) => v.parse(CloudEvent, { ...sent, ...fields });
const eventOf = (fields: object) => parseEvent(fields).event;
const warningsOf = (fields: object) => parseEvent(fields).warnings.map(Object.values);
const faultsOf = (input: unknown) =>
  v.safeParse(CloudEvent, input).issues?.map((issue) => [v.getDotPath(issue), issue.message.split(/[.?]/)[0]]);

describe("a received CloudEvent", () => {
  it("with only the required attributes becomes an event with the type as title and the source as body", () => {
    expect(parseEvent({})).toStrictEqual({
      event: {
        eventKey: "order.failed",
        title: "order.failed",
        body: "/shop/orders",
        priority: "NORMAL",
        dedupeKey: "/shop/orders A-1",
      },
      warnings: [],
    });
  });

  it.each([
    ["whose title is the subject", { subject: "Order 1" }, { title: "Order 1" }],
    ["whose title is the type, if the subject is blank", { subject: " " }, { title: "order.failed" }],
    [
      "whose title is the type and whose body is the source, if subject and data are null",
      { subject: null, data: null },
      { title: "order.failed", body: "/shop/orders" },
    ],
    [
      "whose body is the message in the data",
      { data: { message: "Declined." } },
      { body: "Declined.", data: { message: "Declined." } },
    ],
    [
      "whose body is the source, if the message in the data is a number",
      { data: { message: 5 } },
      { body: "/shop/orders", data: { message: 5 } },
    ],
    ["whose body is the data, if the data is a text", { data: "Declined." }, { body: "Declined." }],
    [
      "with the same nested data",
      { data: { order: { id: 1, paid: false } } },
      { data: { order: { id: 1, paid: false } } },
    ],
    ["of the priority URGENT, if its priority is critical", { priority: "critical" }, { priority: "URGENT" }],
    ["of the priority URGENT, if its priority is CRITICAL", { priority: "CRITICAL" }, { priority: "URGENT" }],
    ["of the priority HIGH, if its priority is P2", { priority: "P2" }, { priority: "HIGH" }],
    ["of the priority NORMAL, if its priority is null", { priority: null }, { priority: "NORMAL" }],
    [
      "of the priority NORMAL, if it has a time and a traceparent, but no priority",
      { time: "2026-11-23T00:00:00Z", traceparent: "00-0" },
      { priority: "NORMAL" },
    ],
  ])("becomes, without a warning, an event %s", (_, fields, event) => {
    expect(eventOf(fields)).toMatchObject(event);
    expect(warningsOf(fields)).toEqual([]);
  });

  it("is stored with its nested data flattened, under names such as tags.0, and without data that is only a text", () => {
    expect(eventOf({ data: { tags: ["db", "prod"], none: null } }).data).toEqual({ "tags.0": "db", "tags.1": "prod" });
    expect(eventOf({ data: ["a"] }).data).toEqual({ "0": "a" });
    expect(eventOf({ data: "text" })).not.toHaveProperty("data");
  });

  it("gets a warning and a shortened title if its subject is too long", () => {
    expect(warningsOf({ subject: "x".repeat(201) })).toEqual([
      ["title", "cut", "title was shortened to 200 characters."],
    ]);
    expect(eventOf({ id: "x".repeat(1_000) }).dedupeKey).not.toEqual(eventOf({ id: "x".repeat(1_001) }).dedupeKey);
  });

  it("with an unknown priority is NORMAL, with a warning", () => {
    expect(eventOf({ priority: "whenever" }).priority).toBe("NORMAL");
    expect(warningsOf({ priority: 7 })).toEqual([
      ["priority", "replaced", "priority is NORMAL, because the event has no priority."],
    ]);
  });

  it("gets warnings about the data and attributes that are not stored", () => {
    expect(warningsOf({ data_base64: "aGk=", knativebroker: "b" })).toEqual([
      ["data_base64", "unknown_field", "data_base64 was dropped."],
      ["knativebroker", "unknown_field", "knativebroker was dropped."],
    ]);
  });

  it("gets the nearest event key, with a warning, if its type is not an event key", () => {
    expect(eventOf({ type: "com.github.pull_request.opened" }).eventKey).toBe("com.github_pull_request_opened");
    expect(warningsOf({ type: "com.example.Made" })).toEqual([
      ["type", "replaced", "The event key is com.example_made, derived from type."],
    ]);
  });

  it.each([
    ["it is null", null, [[null, "Invalid type: Expected Object but received null"]]],
    ["its specversion is 0.3", { ...sent, specversion: "0.3" }, [["specversion", 'specversion must be "1']]],
    [
      "its id is empty and its source is a number",
      { ...sent, id: "", source: 5 },
      [
        ["id", "id must not be empty"],
        ["source", "source must be a string"],
      ],
    ],
    ["its type has only one part", { ...sent, type: "order" }, [["type", "An event key must be resource"]]],
    ["its type has the reserved prefix service", { ...sent, type: "service.quota" }, [["type", "The prefix service"]]],
    [
      "its type has the reserved prefix heartbeat",
      { ...sent, type: "heartbeat.missed" },
      [["type", "The prefix heartbeat"]],
    ],
    ["its subject is a number", { ...sent, subject: 5 }, [["subject", "subject must be a string"]]],
  ])("is refused if %s", (_, input, faults) => {
    expect(faultsOf(input)).toEqual(faults);
  });
});

describe("the headers of a CloudEvent in binary mode", () => {
  it.each([
    [
      "give the attributes, without other headers",
      { "ce-specversion": "1.0", "ce-id": "A-1", "content-type": "text/plain" },
      { specversion: "1.0", id: "A-1" },
    ],
    [
      "give the decoded text of a percent-encoded attribute",
      { "ce-specversion": "1.0", "ce-subject": "Caf%C3%A9 %22A%22" },
      { specversion: "1.0", subject: 'Café "A"' },
    ],
    [
      "give an attribute unchanged if it has a percent sign but is not percent-encoded",
      { "ce-specversion": "1.0", "ce-subject": "100 %" },
      { specversion: "1.0", subject: "100 %" },
    ],
    ["give no attributes if ce-specversion is missing", { "ce-id": "A-1" }, undefined],
    ["give no attributes if there are none", {}, undefined],
  ])("%s", (_title, headers, attributes) => {
    expect(readAttributes(new Map(Object.entries(headers)))).toEqual(attributes);
  });
});

it("the error about a batch of CloudEvents names the invalid event", () => {
  const issues = v.safeParse(CloudEvents, [sent, { ...sent, id: "" }]).issues;

  expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(["1.id"]);
});
