import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";

/* What is written, and in which order: whoever is to be told is told at every moment in between. */

const [alice, bob, carol] = ["alice@a.example", "bob@a.example", "carol@a.example"] as const;

const before = `groups:
  - { name: Old, members: [${alice}] }
  - { name: Operations, members: [${alice}, ${bob}] }
schedules:
  - group: Old
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${alice}] }]
  - group: Operations
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${alice}, ${bob}] }]
policies:
  - { name: Old, steps: [{ delayMinutes: 5, targets: [{ group: Old }] }] }
rules:
  - { name: Old, eventKey: "order.*", groups: [Old], policy: Old }
silences:
  - { name: Old, eventKey: "x.*", endsAt: 2030-01-01T00:00:00Z }
`;
const after = `groups:
  - { name: New, members: [${carol}] }
  - { name: Operations, members: [${alice}, ${carol}] }
schedules:
  - group: New
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${carol}] }]
  - group: Operations
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${alice}, ${carol}] }]
policies:
  - { name: New, steps: [{ delayMinutes: 5, targets: [{ group: New }] }] }
rules:
  - { name: New, eventKey: "order.*", groups: [New], policy: New }
silences:
  - { name: New, eventKey: "y.*", endsAt: 2030-01-01T00:00:00Z }
keys:
  - { name: Checkout }
`;

const applied = async (text = before) => {
  const workspace = aWorkspace(alice, bob, carol);
  workspace.files.set("f.yaml", text);
  expect(await workspace.run("apply f.yaml")).toMatchObject({ code: 0 });
  expect((await workspace.run("plan f.yaml")).text).toMatch(
    /^0 to create, 0 to change, 0 to delete, \d+ as they are\.$/,
  );
  workspace.takeWrites();
  return workspace;
};

describe("a file that is applied", () => {
  it("makes what others name before these, and everybody is in before a schedule names them", async () => {
    const { files, run, takeWrites } = aWorkspace(alice, bob, carol);
    files.set("f.yaml", before);

    expect(await run("apply f.yaml")).toEqual({
      code: 0,
      text: [
        'created group "Old"',
        'created group "Operations"',
        `added ${alice} to group "Old"`,
        `added ${alice} to group "Operations"`,
        `added ${bob} to group "Operations"`,
        'wrote schedule of "Old"',
        'wrote schedule of "Operations"',
        'created policy "Old"',
        'created rule "Old"',
        'created silence "Old"',
        "Changes made: 7.",
      ].join("\n"),
    });
    expect(takeWrites()).toEqual([
      "POST groups Old",
      "POST groups Operations",
      "POST groups/Old/members alice",
      "POST groups/Operations/members alice",
      "POST groups/Operations/members bob",
      "PUT groups/Old/on-call",
      "PUT groups/Operations/on-call",
      "POST escalation-policies Old",
      "POST routing-rules Old",
      "POST silences Old",
    ]);
  });

  it("makes and changes everything that tells more before it takes anything away, and deletes what others name last", async () => {
    const { files, run, takeWrites } = await applied();
    files.set("f.yaml", after);

    expect(await run("apply f.yaml --prune --keys-file -")).toMatchObject({ code: 0 });
    expect(takeWrites()).toEqual([
      "POST groups New",
      "POST groups/New/members carol",
      "POST groups/Operations/members carol",
      "PUT groups/New/on-call",
      "PUT groups/Operations/on-call",
      "POST escalation-policies New",
      "POST routing-rules New",
      "POST silences New",
      "POST api-keys Checkout",
      "DELETE groups/Operations/members/bob",
      "DELETE silences/Old",
      "DELETE routing-rules/Old",
      "DELETE escalation-policies/Old",
      "PUT groups/Old/on-call",
      "DELETE groups/Old",
    ]);
    expect((await run("plan f.yaml --prune")).code).toBe(0);
  });

  it("deletes nothing unless it is asked to", async () => {
    const { files, run, takeWrites } = await applied();
    files.set("f.yaml", "groups: []\n");

    const { code, text } = await run("plan f.yaml");
    expect(code).toBe(0);
    expect(text).toContain('? rule "Old" is not in the file; --prune deletes it');
    expect(text).toMatch(/0 to create, 0 to change, 0 to delete, 0 as they are, 7 only in the workspace\.$/);
    await run("apply f.yaml");
    expect(takeWrites()).toEqual([]);
  });

  it("changes what differs, each at the version that was looked at, and nothing else", async () => {
    const { files, run, takeWrites, requests } = await applied();
    files.set(
      "f.yaml",
      before
        .replace("delayMinutes: 5", "delayMinutes: 6")
        .replace('"order.*"', '"orders.*"')
        .replace('"x.*"', '"z.*"')
        .replace("every: 1", "every: 2"),
    );
    requests.length = 0;

    expect((await run("plan f.yaml")).text.split("\n").slice(0, 9)).toEqual([
      '~ schedule of "Old"',
      expect.stringMatching(/^ {4}layers: .*"every":1.* -> .*"every":2/),
      '~ policy "Old"',
      expect.stringMatching(/^ {4}steps: .*5.* -> .*6/),
      '~ rule "Old"',
      "    eventKey: order.* -> orders.*",
      '~ silence "Old"',
      "    eventKey: x.* -> z.*",
      "0 to create, 4 to change, 0 to delete, 3 as they are.",
    ]);
    await run("apply f.yaml");

    expect(takeWrites()).toEqual([
      "PUT groups/Old/on-call",
      "PATCH escalation-policies/Old",
      "PATCH routing-rules/Old",
      "PATCH silences/Old",
    ]);
    expect(requests.filter(({ method }) => method !== "GET").map(({ ifMatch }) => ifMatch)).toEqual([
      '"2"',
      '"1"',
      '"1"',
      '"1"',
    ]);
  });

  it("keeps in a rotation whom the file takes out of the group only, by writing the schedule again", async () => {
    const { files, run, takeWrites } = await applied();
    files.set("f.yaml", before.replace(`members: [${alice}, ${bob}]`, `members: [${alice}]`));

    await run("apply f.yaml");

    expect(takeWrites()).toEqual(["DELETE groups/Operations/members/bob", "PUT groups/Operations/on-call"]);
  });

  it("says whose turn it is where the file does not: the first of each list", async () => {
    const { requests } = await applied();
    const schedules = requests.filter(({ method, path }) => method === "PUT" && path.endsWith("/on-call"));

    expect(schedules.map(({ body }) => (body["layers"] as { first: number }[])[0]!.first)).toEqual([0, 0]);
  });

  it("makes 101 things in two looks at the list", async () => {
    const many = Array.from({ length: 101 }, (_, index) => `  - { name: G${index}, members: [] }`).join("\n");
    const { files, run, requests } = aWorkspace(alice);
    files.set("f.yaml", `groups:\n${many}\n`);

    expect((await run("apply f.yaml")).text).toMatch(/Changes made: 101\.$/);
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(101);
  });
});

describe("an apply that is interrupted", () => {
  // Right after a write is right before the next one.
  it("after any of its writes goes on when it is run again, and makes nothing twice", async () => {
    for (let last = 1, isWhole = false; !isWhole; last += 1) {
      const { files, run, send, takeWrites } = await applied();
      files.set("f.yaml", after);
      let count = 0;
      const dying: typeof fetch = async (url, init) => {
        count += init?.method === "GET" ? 0 : 1;
        if (count < last) return send(url, init);
        if (count === last && init?.method !== "GET") await send(url, init);
        throw new Error("interrupted");
      };

      const first = await run(`apply f.yaml --prune --keys-file ${last}.json`, { fetch: dying });
      isWhole = first.code === 0;
      if (!isWhole) expect(first.text).toContain("interrupted");
      expect(await run(`apply f.yaml --prune --keys-file again.json`)).toMatchObject({ code: 0 });
      expect((await run("plan f.yaml --prune")).text).toMatch(/^0 to create, 0 to change, 0 to delete/);
      const made = takeWrites().filter((one) => one.startsWith("POST") && !one.includes("members"));
      expect(made).toEqual([...new Set(made)]);
      if (isWhole) expect(last).toBe(16);
    }
  });
});

describe("an apply beside somebody else", () => {
  /** Applies the changed file, and does something right before the first request that fits. */
  const meddled = async (
    fits: (method: string, path: string) => boolean,
    meddle: (workspace: Awaited<ReturnType<typeof applied>>) => void,
    text: string,
    args = "apply f.yaml",
  ) => {
    const workspace = await applied();
    workspace.files.set("f.yaml", text);
    let isDone = false;
    const fetching: typeof fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (!isDone && fits(init?.method ?? "GET", pathname)) {
        isDone = true;
        meddle(workspace);
      }
      return workspace.send(url, init);
    };
    const { code, text: said } = await workspace.run(args, { fetch: fetching });
    return { code, said, writes: workspace.takeWrites() };
  };
  const changedRule = before.replace('"order.*"', '"orders.*"');
  const byNow = "Somebody else is changing this workspace: nothing more was written. Run plan again.";

  it.each([
    ["rule", changedRule, "/routing-rules/rule_4"],
    ["policy", before.replace("delayMinutes: 5", "delayMinutes: 6"), "/escalation-policies/pol_3"],
    ["silence", before.replace('"x.*"', '"z.*"'), "/silences/sil_5"],
  ])("stops at a %s that is not as it was when the plan was made, and at its write", async (noun, text, path) => {
    const byThen = (at: "GET" | "PATCH") =>
      meddled(
        (method, asked) => method === at && asked.endsWith(path),
        ({ byHand }) => byHand("PATCH", path, { name: "Theirs" }),
        text,
      );
    const said = `The ${noun} "Old" is not as it was when the plan was made. ${byNow}`;

    expect(await byThen("GET")).toEqual({ code: 1, said, writes: [] });
    expect(await byThen("PATCH")).toEqual({ code: 1, said, writes: [expect.stringMatching(/Theirs$/)] });
  });

  it("goes on where it is as the file wants it already", async () => {
    const { code, writes } = await meddled(
      (method, path) => method === "GET" && path.includes("routing-rules/"),
      ({ byHand }) => byHand("PATCH", "/routing-rules/rule_4", { eventKey: "orders.*" }),
      changedRule,
    );

    expect([code, writes]).toEqual([0, []]);
  });

  it("stops where others have moved in a group", async () => {
    expect(
      await meddled(
        (method) => method === "POST",
        ({ byHand }) => byHand("POST", "/groups/grp_2/members", { userId: "usr_carol" }),
        before
          .replace("rules:", `  - { name: New, steps: [{ delayMinutes: 5, targets: [{ group: Old }] }] }\nrules:`)
          .replace(`[${alice}, ${bob}] }\nsch`, `[${alice}] }\nsch`)
          .replace("groups:", "groups:\n  - { name: First, members: [] }"),
      ),
    ).toMatchObject({
      code: 1,
      said: expect.stringContaining(`Others have moved in group "Operations": ${carol}. ${byNow}`) as string,
    });
  });

  it("stops where a name is there by now, before it makes any", async () => {
    const { said, writes } = await meddled(
      (_, path) => path.endsWith("/on-call"),
      ({ byHand }) => byHand("POST", "/routing-rules", { name: "New" }),
      before.replace("silences:", '  - { name: New, eventKey: "n.*", groups: [Old] }\nsilences:'),
    );

    expect([said, writes]).toEqual([`There is a rule "New" by now. ${byNow}`, []]);
  });

  it("takes back what is younger than another of that name", async () => {
    const { said, writes } = await meddled(
      (method) => method === "POST",
      ({ byHand }) => byHand("POST", "/groups", { name: "New" }),
      before.replace("groups:", "groups:\n  - { name: New, members: [] }"),
    );

    expect(said).toMatch(/There was a group "New" already\. Somebody else/);
    expect(writes).toEqual(["POST groups New", "DELETE groups/New"]);
  });

  it.each([
    [
      "a policy",
      (path: string) => path.includes("escalation-policies/"),
      "/escalation-policies/pol_3",
      { name: "Old", repeat: 1 },
      'policy "Old"',
    ],
    [
      "a schedule",
      (path: string) => path.endsWith("grp_1/on-call"),
      "/groups/grp_1/on-call",
      { timeZone: "Europe/Berlin" },
      'schedule of "Old"',
    ],
  ])("deletes no %s that is not as it was", async (_, fits, path, body, what) => {
    let seen = 0;
    const { code, said } = await meddled(
      (method, at) => method === "GET" && fits(at) && (seen += 1) === (path.endsWith("on-call") ? 2 : 1),
      ({ byHand }) => byHand(path.endsWith("on-call") ? "PUT" : "PATCH", path, body),
      "groups: []\n",
      "apply f.yaml --prune",
    );

    expect([code, said.split("\n").at(-1)]).toEqual([
      1,
      `The ${what} is not as it was when the plan was made. ${byNow}`,
    ]);
  });
});

describe("roles in a file", () => {
  const roles = (...entries: [string, string][]) =>
    `people:\n${entries.map(([person, role]) => `  - { person: ${person}, role: ${role} }\n`).join("")}`;

  it("are given to members by their addresses: first to whom they raise, last to whom they lower", async () => {
    const { files, run, takeWrites } = aWorkspace(alice, bob, carol);
    files.set("f.yaml", `${roles([alice, "viewer"], [bob, "owner"])}groups:\n  - { name: Ops, members: [${carol}] }\n`);

    expect((await run("plan f.yaml")).text).toContain(`~ person "${bob}"\n    role: manager -> owner`);
    expect(await run("apply f.yaml")).toMatchObject({ code: 0 });

    expect(takeWrites()).toEqual([
      "PATCH members/bob",
      "POST groups Ops",
      "POST groups/Ops/members carol",
      "PATCH members/alice",
    ]);
    expect((await run("plan f.yaml")).text).toBe("0 to create, 0 to change, 0 to delete, 3 as they are.");
  });

  it("stay for members whom the file does not name, also with --prune", async () => {
    const { files, run, takeWrites } = aWorkspace(alice, bob);
    files.set("f.yaml", roles([alice, "owner"]));
    await run("apply f.yaml");
    files.set("f.yaml", roles([bob, "viewer"]));
    takeWrites();

    await run("apply f.yaml --prune");

    expect(takeWrites()).toEqual(["PATCH members/bob"]);
  });

  it("are refused for who is no member, and stop the run when somebody else has changed them meanwhile", async () => {
    const { files, run, send, byHand } = aWorkspace(alice, bob);
    files.set("f.yaml", roles([carol, "viewer"]));
    expect(await run("apply f.yaml")).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${carol} is no member of the workspace`),
    });

    files.set("f.yaml", roles([bob, "viewer"]));
    let lists = 0;
    const meddling: typeof fetch = (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (pathname.endsWith("/members") && (lists += 1) === 2) byHand("PATCH", "/members/usr_bob", { role: "owner" });
      return send(url, init);
    };
    expect(await run("apply f.yaml", { fetch: meddling })).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${bob} was given another role. Somebody else is changing this workspace`),
    });
  });

  it("are exported where they are not what everybody gets, or where the file names the person", async () => {
    const { files, run, byHand } = aWorkspace(alice, bob, carol);
    byHand("PATCH", "/members/usr_alice", { role: "owner" });

    await run("export new.yaml");
    expect(files.get("new.yaml")).toContain(`people:\n  - person: ${alice}\n    role: owner\n`);
    expect(files.get("new.yaml")).not.toContain(bob);

    files.set("f.yaml", roles([bob, "viewer"]));
    await run("export f.yaml");
    expect(files.get("f.yaml")).toContain(`person: ${bob}, role: manager`);
  });
});
