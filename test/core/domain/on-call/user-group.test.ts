import { describe, expect, it } from "vitest";
import { toNextState, isUserGroupUpToDate, selectMembers } from "../../../../core/domain/on-call/user-group.ts";

const accounts = [
  { user: "U2", userId: "usr_ann" },
  { user: "U1", userId: "usr_bob" },
  { user: "U3", userId: "usr_bob" },
];

describe("the wanted members of a Slack user group", () => {
  it.each([
    [
      "are the account of the person on call",
      ["usr_ann"],
      { userIds: ["usr_ann"], users: ["U2"], unlinkedIds: [], kept: null },
    ],
    [
      "are all accounts of the people on call, each account once",
      ["usr_bob", "usr_ann", "usr_bob"],
      { userIds: ["usr_ann", "usr_bob"], users: ["U1", "U2", "U3"], unlinkedIds: [], kept: null },
    ],
    [
      "do not include a person without a linked account",
      ["usr_cleo", "usr_ann"],
      { userIds: ["usr_ann"], users: ["U2"], unlinkedIds: ["usr_cleo"], kept: null },
    ],
    [
      "are none, and the former members stay, if nobody on call has a linked account",
      ["usr_cleo"],
      { userIds: [], users: [], unlinkedIds: ["usr_cleo"], kept: "nobody_linked" },
    ],
    [
      "are none, and the former members stay, if nobody is on call",
      [],
      { userIds: [], users: [], unlinkedIds: [], kept: "nobody_on_call" },
    ],
  ])("%s", (_what, onCall, wanted) => {
    expect(selectMembers(onCall, accounts)).toEqual(wanted);
  });
});

describe("the stored members of a Slack user group", () => {
  const before = toNextState(selectMembers(["usr_ann"], accounts), undefined, 1);

  it("stay the same while nobody on call has a linked account, and are empty if the service never set any", () => {
    expect(before).toEqual({ at: 1, userIds: ["usr_ann"], users: ["U2"], unlinkedIds: [], kept: null });
    expect(toNextState(selectMembers(["usr_cleo"], accounts), before, 2)).toEqual({
      at: 2,
      userIds: ["usr_ann"],
      users: ["U2"],
      unlinkedIds: ["usr_cleo"],
      kept: "nobody_linked",
    });
    expect(toNextState(selectMembers(["usr_bob"], accounts), before, 2)).toMatchObject({
      users: ["U1", "U3"],
    });
    expect(toNextState(selectMembers([], accounts), undefined, 2)).toMatchObject({
      userIds: [],
      users: [],
    });
  });

  it.each([
    ["up to date if the same people are on call", ["usr_ann"], accounts, true],
    ["outdated if somebody else is on call", ["usr_bob"], accounts, false],
    ["outdated if one more person is on call, without a linked account", ["usr_ann", "usr_cleo"], accounts, false],
    ["outdated if nobody is on call", [], accounts, false],
    ["outdated if the same person has another account", ["usr_ann"], [{ user: "U9", userId: "usr_ann" }], false],
  ])("are %s", (_, onCall, known, isSame) => {
    expect(isUserGroupUpToDate(before, selectMembers(onCall, known))).toBe(isSame);
  });

  it("stay up to date while the person on call has no linked account, but not once nobody is on call", () => {
    const kept = toNextState(selectMembers(["usr_cleo"], accounts), before, 2);

    expect(isUserGroupUpToDate(kept, selectMembers(["usr_cleo"], accounts))).toBe(true);
    expect(isUserGroupUpToDate(kept, selectMembers([], accounts))).toBe(false);
    expect(isUserGroupUpToDate(undefined, selectMembers([], accounts))).toBe(false);
  });
});
