import * as v from "valibot";
import { expect, it } from "vitest";
import { Mapping } from "../../../../core/domain/basics/mapping.ts";

const least = { resource: "datadog", title: ["title"] };
const words = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`w${index}`, "LOW"]));

it.each([
  ["only the required fields", {}],
  [
    "every optional field",
    { body: ["a"], detail: ["a"], url: ["a"], priority: ["a"], dedupeKey: ["a", "b"], changedAt: ["a"] },
  ],
  ["entries of a list, and a path by number", { alerts: "alerts", title: ["tags.0", "a.b.c"] }],
  ["its own words for priorities", { priorities: { sev1: "CRITICAL", ...words(49) } }],
  ["names with dots", { title: ['labels["app.kubernetes.io/name"].x', '["a.b"]', "a[0]"] }],
  ["several paths joined to one text", { title: [{ join: ["a", "b"], with: " " }, "c"], each: true }],
  ["the words that mean resolved", { resolved: { path: "status", is: ["ok", "closed"] } }],
])("a mapping of a tool's messages may have %s", (_, fields) => {
  expect(v.is(Mapping, { ...least, ...fields })).toBe(true);
});

it.each([
  ["an empty list of paths", { title: [] }, "A mapped field must have at least one path."],
  ["six paths", { title: ["a", "b", "c", "d", "e", "f"] }, "A mapped field must have at most 5 paths."],
  ["a path outside a list", { body: "a" }, "A mapped field must be a list of paths."],
  ["an empty path", { title: [""] }, "A path must not be empty."],
  ["a long path", { alerts: "a".repeat(201) }, "A path must have at most 200 characters."],
  ...[".a", "a.", "a..b", ".", 'a[""]', '["a', '["a"]b'].map((path): [string, object, string] => [
    `the path \`${path}\``,
    { resolved: { path, is: ["ok"] } },
    'A path is the names that lead to a value, with dots between them, such as alert.title, tags.0 or labels["app.kubernetes.io/name"].',
  ]),
  ["51 words", { priorities: words(51) }, "priorities must have at most 50 words."],
  ["an unknown priority", { priorities: { a: "P1" } }, "A priority is one of LOW, NORMAL, HIGH, URGENT, CRITICAL."],
  ["an empty list of words for resolved", { resolved: { path: "a", is: [] } }, '"is" must have at least one text.'],
  [
    "an event key with the resource of the service's own events",
    { resource: "service" },
    /^resource must not be service/,
  ],
])("a mapping of a tool's messages may not have %s", (_, fields, message) => {
  expect(v.safeParse(Mapping, { ...least, ...fields }).issues?.[0].message).toMatch(message);
});
