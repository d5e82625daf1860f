import { describe, expect, it } from "vitest";
import { alice, bob, carol, before, applyFile } from "./applying.ts";

describe("an apply while somebody else makes changes", () => {
  /** Applies a file. Directly before the first request that `fits`, somebody else makes the change `meddle`. */
  const applyWithChange = async (
    fits: (method: string, path: string) => boolean,
    meddle: (workspace: Awaited<ReturnType<typeof applyFile>>) => void,
    text: string,
    args = "apply f.yaml",
    start = before,
  ) => {
    const workspace = await applyFile(start);
    workspace.files.set("f.yaml", text);
    let isDone = false;
    const fetchAndChange: typeof fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (!isDone && fits(init?.method ?? "GET", pathname)) {
        isDone = true;
        meddle(workspace);
      }
      return workspace.send(url, init);
    };
    const { code, text: said } = await workspace.run(args, { fetch: fetchAndChange });
    return { code, said, writes: workspace.takeWrites() };
  };
  const changedRule = before.replace('"order.*"', '"orders.*"');
  const byNow = "Somebody else is changing this workspace: nothing more was written. Run plan again.";

  it.each([
    ["rule", changedRule, "/routing-rules/rule_4"],
    ["policy", before.replace("delayMinutes: 5", "delayMinutes: 6"), "/escalation-policies/pol_3"],
    ["silence", before.replace('"x.*"', '"z.*"'), "/silences/sil_5"],
  ])("stops before it writes a %s that has changed since the plan was made", async (noun, text, path) => {
    const applyWithRename = (method: "GET" | "PATCH") =>
      applyWithChange(
        (asked, url) => asked === method && url.endsWith(path),
        ({ byHand }) => byHand("PATCH", path, { name: "Theirs" }),
        text,
      );
    const said = `The ${noun} "Old" has changed since the plan. Run plan again. ${byNow}`;

    expect(await applyWithRename("GET")).toEqual({ code: 1, said, writes: [] });
    expect(await applyWithRename("PATCH")).toEqual({ code: 1, said, writes: [expect.stringMatching(/Theirs$/)] });
  });

  it("continues if the item is already as the file describes it", async () => {
    const { code, writes } = await applyWithChange(
      (method, path) => method === "GET" && path.includes("routing-rules/"),
      ({ byHand }) => byHand("PATCH", "/routing-rules/rule_4", { eventKey: "orders.*" }),
      changedRule,
    );

    expect([code, writes]).toEqual([0, []]);
  });

  it("stops if somebody else has changed a group's members", async () => {
    expect(
      await applyWithChange(
        (method) => method === "POST",
        ({ byHand }) => byHand("POST", "/groups/grp_2/members", { userId: "usr_carol" }),
        before
          .replace("rules:", `  - { name: New, steps: [{ delayMinutes: 5, targets: [{ group: Old }] }] }\nrules:`)
          .replace(`[${alice}, ${bob}] }\nsch`, `[${alice}] }\nsch`)
          .replace("groups:", "groups:\n  - { name: First, members: [] }"),
      ),
    ).toMatchObject({
      code: 1,
      said: expect.stringContaining(
        `Meanwhile somebody else changed the members of group "Operations": ${carol}. ${byNow}`,
      ) as string,
    });
  });

  it("stops if somebody else has taken a name since the plan, before it creates anything", async () => {
    const { said, writes } = await applyWithChange(
      (_, path) => path.endsWith("/on-call"),
      ({ byHand }) => byHand("POST", "/routing-rules", { name: "New" }),
      before.replace("silences:", '  - { name: New, eventKey: "n.*", groups: [Old] }\nsilences:'),
    );

    expect([said, writes]).toEqual([`Meanwhile somebody else created the rule "New". ${byNow}`, []]);
  });

  it("removes its duplicate if somebody created an item with the same name at the same time", async () => {
    const { said, writes } = await applyWithChange(
      (method) => method === "POST",
      ({ byHand }) => byHand("POST", "/groups", { name: "New" }),
      before.replace("groups:", "groups:\n  - { name: New, members: [] }"),
    );

    expect(said).toMatch(/Meanwhile somebody else created the group "New"\. Somebody else/);
    expect(writes).toEqual(["POST groups New", "DELETE groups/New"]);
  });

  const NEW_LAYER = { start: "2026-03-02T09:00", every: 1, unit: "week", participants: ["usr_bob"] };
  const withoutSchedule = before.replace(/  - group: Old\n.*\n.*\n/, "");
  it.each<[string, string, number, string, Record<string, unknown>, string, string?]>([
    ["policy that was changed", "/escalation-policies/pol_3", 1, "PATCH", { repeat: 1 }, 'policy "Old"'],
    [
      "schedule that was changed",
      "/groups/grp_1/on-call",
      2,
      "PUT",
      { timeZone: "Europe/Berlin" },
      'schedule of "Old"',
    ],
    ["group that was renamed", "/groups/grp_1", 1, "PATCH", { name: "Needed" }, 'group "Old"'],
    ["group that got a member", "/groups/grp_1/members", 2, "POST", { userId: "usr_carol" }, 'group "Old"'],
    [
      "group that got a schedule",
      "/groups/grp_1/on-call",
      2,
      "PUT",
      { layers: [NEW_LAYER] },
      'group "Old"',
      withoutSchedule,
    ],
  ])(
    "does not delete an item that changed after the plan was written: a %s",
    async (_, path, look, method, body, what, start) => {
      let looks = 0;
      const { code, said } = await applyWithChange(
        (asked, at) => asked === "GET" && at.endsWith(path) && (looks += 1) === look,
        ({ byHand }) => byHand(method, path, body),
        "groups: []\n",
        "apply f.yaml --prune",
        start,
      );

      expect([code, said.split("\n").at(-1)]).toEqual([
        1,
        `The ${what} has changed since the plan. Run plan again. ${byNow}`,
      ]);
    },
  );
});
