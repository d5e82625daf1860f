import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { replyOk } from "../../../functions/http/endpoint.ts";
import { parseExpectedVersions, readChange, addEtag } from "../../../functions/http/conditional.ts";
import { replyDeleted, requireFound, requireReferenced, replyRemoved } from "../../../functions/http/require-found.ts";
import { aRequest, resultOrFaultsOf } from "./support.ts";

it("an answer with an item has the item's version in the header ETag, and keeps its other headers", () => {
  expect(addEtag(replyOk({ a: 1 }), { version: 3 })).toMatchObject({
    statusCode: 200,
    headers: { ETag: '"3"', "Content-Type": "application/json" },
  });
});

describe("the header If-Match", () => {
  const wrong = ['If-Match invalid If-Match must be the ETag of an answer, with its double quotes, such as "3", or *.'];
  it.each([
    ["allows any version if it is missing", undefined, undefined],
    ["allows any version if it is *", "*", undefined],
    ["allows any version if it is * between spaces", " * ", undefined],
    ["allows the version of its tag", '"3"', [3]],
    // A proxy that compresses answers makes tags weak.
    ["allows the version of a weak tag", 'W/"3"', [3]],
    ["allows the versions of all tags of a list", '"3", W/"4" ,"5"', [3, 4, 5]],
    // The service never created this tag, so it is not the item's version.
    ["allows no version if its tag is not a number", '"abc"', [Number.NaN]],
    ["is refused without double quotes", "3", wrong],
    ["is refused if it is empty", "", wrong],
    ["is refused without the closing quote", '"3', wrong],
    ["is refused without the opening quote", '3"', wrong],
    ["is refused with a letter before its tag", 'x"3"', wrong],
    ["is refused with a letter after its tag", '"3"x', wrong],
    ["is refused if the second tag of a list has no quotes", '"3", 4', wrong],
  ])("%s", (_, written, versions) => {
    const headers = written === undefined ? {} : { "if-match": written };

    expect(resultOrFaultsOf(() => parseExpectedVersions(aRequest({ headers })))).toEqual(versions);
  });
});

describe("an update of an item", () => {
  const Input = v.strictObject({ name: v.optional(v.string()), tags: v.optional(v.array(v.string())) });
  const shown = { id: "grp_1", name: "Ops", tags: ["a"], members: 3, version: 2, updatedAt: "then" };
  type Given = { body: object; headers?: Record<string, string> };
  const changeOf = ({ body, headers = {} }: Given, options?: Parameters<typeof readChange>[3]) =>
    resultOrFaultsOf(() => readChange(aRequest({ method: "PATCH", body, headers }), Input, shown, options));
  const unknownFieldFault = (field: string) => [`${field} unknown_field ${field} is not a field that can be set here.`];

  it("accepts an item as it was read with one field changed, and ignores its read-only fields", () => {
    expect(changeOf({ body: { ...shown, name: "Leads" } })).toEqual({ name: "Leads", tags: ["a"] });
  });

  it("is refused for a changed read-only field, and for a field that never existed", () => {
    expect(changeOf({ body: { id: "grp_2" } })).toEqual(unknownFieldFault("id"));
    expect(changeOf({ body: { colour: null } })).toEqual(unknownFieldFault("colour"));
  });

  it("ignores computed fields, whatever their current value is", () => {
    expect(changeOf({ body: { members: 4 } })).toEqual(unknownFieldFault("members"));
    expect(changeOf({ body: { members: 4 } }, { derived: ["members"] })).toEqual({});
  });

  it.each([
    ["is accepted if If-Match has the same version", '"1"', {}],
    ["is refused without If-Match", undefined, unknownFieldFault("version")],
    ["is refused if If-Match has the current version", '"2"', unknownFieldFault("version")],
  ])("with an older version in its body %s", (_, tag, expected) => {
    const headers: Record<string, string> = tag === undefined ? {} : { "if-match": tag };

    expect(changeOf({ body: { version: 1 }, headers })).toEqual(expected);
  });

  it("with an older version in If-Match may contain an outdated `updatedAt`, but no other changed read-only field", () => {
    const headers = { "if-match": '"1"' };

    expect(changeOf({ body: { updatedAt: "before" }, headers })).toEqual({});
    expect(changeOf({ body: { id: "grp_2" }, headers })).toEqual(unknownFieldFault("id"));
  });

  it("calls the endpoint's own check for only the changed fields, before the schema is applied", () => {
    const looked: object[] = [];
    const checkChange = (changed: object) => {
      looked.push(changed);
      return "tags" in changed ? [{ field: "tags", code: "pattern_too_dear" as const, message: "No." }] : [];
    };

    expect(changeOf({ body: { name: "Leads", tags: ["a"] } }, { check: checkChange })).toEqual({
      name: "Leads",
      tags: ["a"],
    });
    expect(changeOf({ body: { name: 1, tags: ["b"] } }, { check: checkChange })).toEqual(["tags pattern_too_dear No."]);
    expect(looked).toEqual([{ name: "Leads" }, { name: 1, tags: ["b"] }]);
  });
});

describe("an item that a request refers to", () => {
  it("is found, or else the answer is 404 and says what kind of item is missing", () => {
    expect(requireFound("it", "grp")).toBe("it");
    expect(resultOrFaultsOf(() => requireFound(undefined, "grp"))).toEqual(["not_found", "This group does not exist."]);
    expect(resultOrFaultsOf(() => requireFound(undefined, "event type"))).toEqual([
      "not_found",
      "This event type does not exist.",
    ]);
  });

  it("in a field of the body must exist, else the answer is 422 and names the field", () => {
    expect(requireReferenced("it", "pol", "escalationPolicyId")).toBe("it");
    expect(resultOrFaultsOf(() => requireReferenced(undefined, "pol", "escalationPolicyId"))).toEqual([
      "escalationPolicyId unknown_reference escalationPolicyId must be the id of a escalation policy of this workspace.",
    ]);
  });

  it("is deleted with 204 and no body if it exists, or else the answer is 404", () => {
    expect(replyDeleted(true, "grp", { "X-More": "1" })).toMatchObject({
      statusCode: 204,
      body: "",
      headers: { "X-More": "1" },
    });
    expect(resultOrFaultsOf(() => replyDeleted(false, "key"))).toEqual(["not_found", "This API key does not exist."]);
  });
});

describe("removing a person", () => {
  const warning = (code: "group_empty" | "target_group_empty", id: string) => ({ code, id, message: "" });
  const headerOf = (...warnings: object[]) =>
    replyRemoved({ outcome: true, warnings: warnings as never }, "usr").headers["X-Warning"];

  it("answers with a header that names, for each warning, up to twenty groups", () => {
    const many = Array.from({ length: 21 }, (_, index) => warning("group_empty", `grp_${index}`));

    expect(headerOf()).toBeUndefined();
    expect(
      headerOf(
        warning("group_empty", "grp_1"),
        warning("target_group_empty", "grp_2"),
        warning("group_empty", "grp_3"),
      ),
    ).toBe("group_empty; groups=grp_1,grp_3, target_group_empty; groups=grp_2");
    expect(headerOf(...many)?.split(",")).toHaveLength(20);
  });

  it("fails if the person is not a member", () => {
    expect(resultOrFaultsOf(() => replyRemoved({ outcome: false, warnings: [] }, "usr"))).toEqual([
      "not_found",
      "This member does not exist.",
    ]);
  });
});
