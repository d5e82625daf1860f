import { describe, expect, it, vi } from "vitest";
import { hideOtherPeople, containsId, erasePerson } from "../../../../core/domain/people/erasure.ts";

const keepValue = (value: unknown): unknown => value;

/** Erases Bob, who has two accounts, from a value. Returns the erased value (`left`), and the words that identified Bob. */
const eraseBob = (value: unknown, ...known: readonly string[]) => {
  const traced = { ids: new Set(["usr_bob", "usr_rob"]), words: new Set(known) };
  return { left: erasePerson(value, traced, keepValue), words: [...traced.words] };
};

describe("a stored value that identifies an erased person", () => {
  it.each<[string, object, object, string[]]>([
    ["a name beside the person's id", { id: "usr_bob", name: "Bob" }, { id: "usr_bob", name: "" }, ["Bob"]],
    [
      "a name and an email address beside the person's user id",
      { userId: "usr_bob", name: "Bob", email: "bob@acme.example", role: "owner" },
      { userId: "usr_bob", name: "", email: "", role: "owner" },
      ["Bob", "bob@acme.example"],
    ],
    [
      "an email address without a name",
      { userId: "usr_bob", email: "b@c.d" },
      { userId: "usr_bob", email: "" },
      ["b@c.d"],
    ],
    [
      "an email address beside a name that is null",
      { id: "usr_bob", name: null, email: "b@c.d" },
      { id: "usr_bob", name: null, email: "" },
      ["b@c.d"],
    ],
    [
      "the name of something that belongs to the person",
      { id: "dev_1", userId: "usr_rob", name: "Rob" },
      { id: "dev_1", userId: "usr_rob", name: "" },
      ["Rob"],
    ],
    [
      "an email address beside an erased name",
      { id: "usr_bob", name: "", email: "b@c.d" },
      { id: "usr_bob", name: "", email: "" },
      ["b@c.d"],
    ],
  ])("is erased if it is %s", (_, value, left, words) => {
    expect(eraseBob(value)).toEqual({ left, words });
  });

  it.each<[string, unknown]>([
    ["another person's name", { id: "usr_ann", userId: "usr_ann", name: "Ann" }],
    ["a name without an id", { name: "Bob", email: "bob@acme.example" }],
    ["a name beside an id that is not a text", { id: { usr_bob: true }, userId: 5, name: "Bob" }],
    ["the id alone", { id: "usr_bob", userId: "usr_bob" }],
    ["the id with other texts", { id: "usr_bob", title: "Bob", note: "Bob was here." }],
    ["a name that was erased before", { id: "usr_bob", name: "", email: "" }],
    [
      "a list in which nothing identifies the person",
      { recipients: [{ userId: "usr_ann", name: "Ann" }, ["usr_bob"], []] },
    ],
    ["a text that contains the id and the name", "usr_bob Bob"],
    ["null", null],
  ])("is not found in %s", (_, value) => {
    const { left, words } = eraseBob(value, "Bob");

    expect(left).toBe(value);
    expect(words).toEqual(["Bob"]);
  });

  it("is erased wherever it occurs, and everything beside it stays the same", () => {
    const [other, deep] = [{ userId: "usr_ann", name: "Ann" }, { more: [1, "two", null] }];
    const value = {
      at: 5,
      lists: [[other, { id: "usr_bob", name: "Bob" }], deep],
      one: { by: { id: "usr_rob", email: "r@b.c" } },
      deep,
    };

    const { left, words } = eraseBob(value);

    expect(left).toEqual({
      at: 5,
      lists: [[other, { id: "usr_bob", name: "" }], deep],
      one: { by: { id: "usr_rob", email: "" } },
      deep,
    });
    const { lists, deep: kept } = left as typeof value;
    expect([(lists[0] as object[])[0] === other, lists[1] === deep, kept === deep]).toEqual([true, true, true]);
    expect(words).toEqual(["Bob", "r@b.c"]);
  });

  it.each([
    [
      "erased from the text of a notice about a device that was for the person",
      { notice: { to: ["usr_bob"] }, data: { device: "dev_1" } },
      true,
    ],
    [
      "erased from the text of a notice about a device that notified only the person",
      { recipients: [{ userId: "usr_rob" }] },
      true,
    ],
    [
      "erased from the text of a notice with the person as its subject",
      { eventKey: "service.unreachable", data: { user: "usr_bob" }, notice: {} },
      true,
    ],
    ["kept in a notice whose text is about another person's device", { notice: { to: ["usr_ann"] } }, false],
    [
      "kept in the text of a notice that was for other people, too",
      { recipients: [{ userId: "usr_bob" }, { userId: "usr_ann" }] },
      false,
    ],
    ["kept in an event that is not a notice", { eventKey: "disk.full", data: { user: "usr_bob" } }, false],
  ])("is %s", (_, about, goes) => {
    const notice = { eventKey: "service.device", title: "Fairphone gets no alerts", body: "+4930 1", ...about };

    const { left } = eraseBob(notice);

    expect(left).toEqual(goes ? { ...notice, title: "(erased)", body: "(erased)" } : notice);
  });

  it("is erased from packed data that the given function can unpack; other packed data stay unchanged", () => {
    const [bytes, day, ids] = [new Uint8Array([1]), new Date(0), new Set(["usr_bob"])];
    const within = vi.fn((value: unknown): unknown => (value === bytes ? "opened" : value));
    const value = { id: "usr_ann", packed: [bytes, day], ids, nothing: undefined, count: 1 };

    const left = erasePerson(value, { ids: new Set(["usr_bob"]), words: new Set() }, within);

    expect(left).toEqual({ ...value, packed: ["opened", day] });
    expect(within.mock.calls.map(([one]) => one)).toEqual(["usr_ann", bytes, day, ids, undefined, 1]);
  });
});

describe("the name of an erased person in a notice of the service", () => {
  const eraseText = (text: string, words: readonly string[]) =>
    eraseBob({ eventKey: "service.shift", title: text, body: `${text}.` }, ...words).left;

  it.each<[string, string[], string, string]>([
    ["at the start of a text", ["Bob"], "Bob may not be reachable", "(erased) may not be reachable"],
    ["before punctuation", ["Bob"], "Ask Bob, or Bob's phone (Bob)", "Ask (erased), or (erased)'s phone ((erased))"],
    [
      "only as a whole word, in the same case",
      ["Bob"],
      "Bobby, Jacob and Bob2, 2Bob, ÉBob, Bobé and bob",
      "Bobby, Jacob and Bob2, 2Bob, ÉBob, Bobé and bob",
    ],
    ["if another erased name begins with it", ["Ann", "Ann Bell"], "Ann Bell and Ann", "(erased) and (erased)"],
    ["if it begins with another erased name", ["Ann Bell", "Ann"], "Ann Bell and Ann", "(erased) and (erased)"],
    ["only if it has more than one character", ["B", ""], "Plan B", "Plan B"],
    ["if it has two characters", ["Bo"], "Plan Bo", "Plan (erased)"],
    ["as a Chinese word", ["李雷"], "李雷 is silent, 李雷雷 is not", "(erased) is silent, 李雷雷 is not"],
    [
      "if it is an email address",
      ["a.b@acme.example"],
      "to a.b@acme.example, not to axb@acme.example",
      "to (erased), not to axb@acme.example",
    ],
    ["if it ends with a parenthesis", ["Bob (Night)"], "Bob (Night) and Bob Night", "(erased) and Bob Night"],
    ["with special characters", ["[Bob] {x|y} ^*+?$ \\d/"], "[Bob] {x|y} ^*+?$ \\d/ is 5", "(erased) is 5"],
    ["only outside of other words", ["Bob"], "Nobody", "Nobody"],
    // If the words of an erased name were erased again, every further scan would find more to erase.
    [
      "except inside the replacement (erased)",
      ["Bob", "erased", "(erased"],
      "Bob, (erased) and erased",
      "(erased), (erased) and (erased)",
    ],
  ])("is erased %s", (_where, words, text, without) => {
    expect(eraseText(text, words)).toEqual({ eventKey: "service.shift", title: without, body: `${without}.` });
  });

  it("is recognised because the notice stores it beside the person's id", () => {
    expect(eraseBob({ eventKey: "service.shift", title: "Bob", by: { id: "usr_bob", name: "Bob" } })).toEqual({
      left: { eventKey: "service.shift", title: "(erased)", by: { id: "usr_bob", name: "" } },
      words: ["Bob"],
    });
    expect(eraseBob({ eventKey: "service.shift", body: "Bob", userId: "usr_bob", name: "Bob" }).left).toEqual({
      eventKey: "service.shift",
      body: "(erased)",
      userId: "usr_bob",
      name: "",
    });
  });

  it.each<[string, object]>([
    ["an event of a sender", { eventKey: "order.failed", title: "Bob", body: "Bob" }],
    ["an item that is not an event", { title: "Bob", body: "Bob" }],
    ["another field of a notice", { eventKey: "service.shift", name: "Bob", text: "Bob" }],
    ["a field that is not a text", { eventKey: "service.shift", title: ["Bob"], body: null }],
    ["an event without a key", { eventKey: 5, title: "Bob" }],
    ["a notice that names other people", { eventKey: "service.shift", title: "Ann", body: "Ann" }],
  ])("is not searched for in %s", (_, value) => {
    expect(eraseBob(value, "Bob").left).toBe(value);
  });
});

it.each<[string, unknown]>([
  ["the id itself", "usr_bob"],
  ["a list that contains the id", ["usr_ann", "usr_bob"]],
  ["a set that contains the id", new Set(["usr_ann", "usr_bob"])],
  ["a nested object", { at: 5, by: { id: "usr_bob" } }],
  ["a set within a list within an object", { by: [{ id: "usr_ann" }, new Set(["usr_bob"])] }],
])("the id of an erased person is found in %s", (_what, value) => {
  expect(containsId(value, new Set(["usr_bob"]))).toBe(true);
});

it.each<[string, unknown]>([
  ["the id of another person", "usr_ann"],
  ["a longer text that contains the id", "to usr_bob"],
  ["a list without the id", ["usr_ann"]],
  ["an empty list", []],
  ["a set without the id", new Set(["usr_ann"])],
  ["the name of a property", { usr_bob: "usr_ann" }],
  ["a Map", new Map([["id", "usr_bob"]])],
  ["null", null],
  ["a field without a value", undefined],
  ["a number", 5],
])("the id of an erased person is not found in %s", (_what, value) => {
  expect(containsId(value, new Set(["usr_bob"]))).toBe(false);
});

describe("a value in the data export of one person", () => {
  const hideOthers = (value: unknown) => hideOtherPeople(value, new Set(["usr_bob"]));
  const bob = { id: "usr_bob", name: "Bob", email: "bob@acme.example" };

  it.each<[string, unknown, unknown]>([
    ["the person's own entry is complete", bob, bob],
    [
      "another person's entry has the id, and no name or address",
      { id: "usr_ann", name: "Ann", email: "a@b.c", at: 5 },
      { id: "usr_ann", at: 5 },
    ],
    ["a machine's entry has the id, and no name", { id: "mch_1", name: "Robot" }, { id: "mch_1" }],
    [
      "an item with another person's user id has no name",
      { id: "evt_1", userId: "usr_ann", name: "Ann" },
      { id: "evt_1", userId: "usr_ann" },
    ],
    ["a group's entry is complete", { id: "grp_1", name: "Ops" }, { id: "grp_1", name: "Ops" }],
    [
      "an entry with a text that only looks like an id is complete",
      { id: "xusr_ann", name: "Ops" },
      { id: "xusr_ann", name: "Ops" },
    ],
    [
      "an entry without an id is complete",
      { name: "Ops", email: "ops@acme.example" },
      { name: "Ops", email: "ops@acme.example" },
    ],
    [
      "a list of people has only the person's own entry",
      [
        { userId: "usr_bob", at: 1 },
        { userId: "usr_ann", at: 2 },
      ],
      [{ userId: "usr_bob", at: 1 }],
    ],
    [
      "any other list is complete",
      [{ userId: null }, { id: "grp_1" }, "usr_ann", 5],
      [{ userId: null }, { id: "grp_1" }, "usr_ann", 5],
    ],
    [
      "a list without user ids keeps its entries, without other people's names",
      [{ id: "usr_ann", name: "Ann" }],
      [{ id: "usr_ann" }],
    ],
    ["a set becomes a list of the same values", new Set(["usr_bob", "usr_ann"]), ["usr_bob", "usr_ann"]],
    [
      "deeper entries are treated in the same way",
      { on: [{ by: { id: "usr_ann", name: "Ann" } }, { by: bob }] },
      { on: [{ by: { id: "usr_ann" } }, { by: bob }] },
    ],
    ["a value that is not an object does not change", [null, "text", 5, true], [null, "text", 5, true]],
  ])("is shown without data of other people: %s", (_, value, seen) => {
    expect(hideOthers(value)).toEqual(seen);
  });
});
