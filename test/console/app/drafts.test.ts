import { beforeEach, expect, it } from "vitest";
import { dropDraft, readDraft, writeDraft } from "../../../console/app/drafts.ts";
import { aBrowser } from "./browser.ts";

const place = { me: "usr_ann", workspaceId: "ws_1", path: "/rules/new " };
const empty = { name: "", groupIds: [] as string[], enabled: true };
const typed = { name: "Disks", groupIds: ["grp_1"], enabled: false };

let browser: ReturnType<typeof aBrowser>;
beforeEach(() => {
  browser = aBrowser();
});

it("a draft, with the version that it is based on, is restored until it is discarded", () => {
  expect(readDraft(place, empty)).toBeUndefined();
  writeDraft(place, { draft: typed, version: 3 });

  expect(readDraft(place, empty)).toEqual({ draft: typed, version: 3 });
  writeDraft(place, { draft: typed, version: undefined });
  expect(readDraft(place, empty)).toEqual({ draft: typed, version: undefined });
  dropDraft(place);
  expect(readDraft(place, empty)).toBeUndefined();
});

it.each([
  ["somebody else", { me: "usr_bob" }],
  ["another workspace", { workspaceId: "ws_2" }],
  ["another form", { path: "/rules/rule_1 " }],
])("a draft cannot be read by %s", (_, other) => {
  writeDraft(place, { draft: typed, version: 3 });

  expect(readDraft({ ...place, ...other }, empty)).toBeUndefined();
});

it.each([
  ["lacks a field", { name: "Disks", enabled: true }],
  ["has a list where a text belongs", { ...typed, name: ["Disks"] }],
  ["has a text where a list belongs", { ...typed, groupIds: "grp_1" }],
  ["is not an object", "Disks"],
  ["is null", null],
])("a draft that an earlier build of the console stored is dropped if the draft %s", (_, draft) => {
  writeDraft(place, { draft: draft as object, version: 3 });

  expect(readDraft(place, empty)).toBeUndefined();
});

it("in a tab without storage space, drafts are not stored, and the user can continue to type", () => {
  Object.assign(sessionStorage, {
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });

  writeDraft(place, { draft: typed, version: 3 });

  expect(browser.session.size).toBe(0);
});
