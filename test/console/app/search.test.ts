import { expect, it } from "vitest";
import { aBrowser, load } from "./browser.ts";

it.each([
  ["disk web", "finds an entry with both words in different texts", ["Web shop", null, "Disk full"], true],
  ["DISK", "finds an entry in small letters", ["disk"], true],
  ["web   disk", "finds an entry with both words, whatever the number of spaces", ["web", "disk"], true],
  ["disk mail", "does not find an entry with only one of the words", ["Web shop", "Disk full"], false],
  ["shopdisk", "does not find an entry with parts of the word in two texts", ["shop", "disk"], false],
  ["", "finds every entry", [], true],
])("the search for %j %s", async (typed, _, texts, isFound) => {
  type Search = { matchesAllWords: (typed: string, texts: readonly (string | null)[]) => boolean };

  expect((await load<Search>("search")).matchesAllWords(typed, texts)).toBe(isFound);
});

it.each([
  ["?search=a&group=g", "no query", ""],
  ["?state=open&search=a&site=x", "the query state=open&site=x", "state=open&site=x"],
])(
  "a page with the URL query %s requests its data with %s (search and group are not sent)",
  async (query, _, loads) => {
    aBrowser();
    const { formatQueryForLoad } = await load<{ formatQueryForLoad: (url: URL) => string }>("router");

    expect(formatQueryForLoad(new URL(`https://a.example/events${query}`))).toBe(loads);
  },
);

it.each([
  ["/events/evt_1", "the texts of the page events", "events"],
  ["/", "no texts of its own", ""],
  ["", "no texts of its own", ""],
])("the page at the URL path %j loads %s", async (pathname, _, name) => {
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
