import { expect, it } from "vitest";
import { aBrowser, load } from "./browser.ts";

it.each([
  ["disk web", ["Web shop", null, "Disk full"], true],
  ["DISK", ["disk"], true],
  ["web   disk", ["web", "disk"], true],
  ["disk mail", ["Web shop", "Disk full"], false],
  ["shopdisk", ["shop", "disk"], false],
  ["", [], true],
])("the search for %j in %j finds the entry: %s", async (typed, texts, isFound) => {
  type Search = { matchesAllWords: (typed: string, texts: readonly (string | null)[]) => boolean };

  expect((await load<Search>("search")).matchesAllWords(typed, texts)).toBe(isFound);
});

it.each([
  ["?search=a&group=g", ""],
  ["?state=open&search=a&site=x", "state=open&site=x"],
])("a page with the URL query %s requests its data with the query %j", async (query, loads) => {
  aBrowser();
  const { formatQueryForLoad } = await load<{ formatQueryForLoad: (url: URL) => string }>("router");

  expect(formatQueryForLoad(new URL(`https://a.example/events${query}`))).toBe(loads);
});

it.each([
  ["/events/evt_1", "events"],
  ["/", ""],
  ["", ""],
])("the page with the URL path %j loads the page texts named %j", async (pathname, name) => {
  aBrowser();
  const { toTextsName } = await load<{ toTextsName: (pathname: string) => string }>("load-texts");

  expect(toTextsName(pathname)).toBe(name);
});

it("the list of people for groups and schedules leaves out machines", async () => {
  type Member = { userId: string };
  const { listHumanMembers } = await load<{ listHumanMembers: (api: object) => Promise<Member[]> }>("people");
  const members = ["usr_ann", "mch_tool", "usr_mch_"].map((userId) => ({ userId }));

  const people = await listHumanMembers((name: string) => (name === "members/list-members" ? members : []));

  expect(people.map(({ userId }) => userId)).toEqual(["usr_ann", "usr_mch_"]);
});
