import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";
import { alice, bob, carol, before, applyFile } from "./applying.ts";

/* Writes are ordered so that people who must be notified are reachable at every moment. */

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

describe("applying a setup file", () => {
  it("counts its progress in steps, and each added or removed member is one step", async () => {
    const { files, run } = await applyFile();
    const ticks: string[] = [];
    let done = 0;
    files.set("f.yaml", after);

    await run("apply f.yaml --prune --keys-file k.json", {
      progress: (what, of) => () => void ticks.push(`${what}: ${(done += 1)} of ${of}`),
    });

    expect(ticks.slice(-2)).toEqual(["steps: 14 of 15", "steps: 15 of 15"]);
  });

  it("creates an item before items that refer to it, and adds every member before a schedule names them", async () => {
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
        'schedule "Old", on call in the next 14 days:',
        "    before: nobody until 2026-12-07T12:00Z",
        "    after: alice@a.example until 2026-12-07T12:00Z",
        "    2026-11-23T12:00Z to 2026-12-07T12:00Z: alice@a.example instead of nobody",
        "    nights in the next 12 weeks: alice@a.example 0 -> 84",
        'schedule "Operations", on call in the next 14 days:',
        "    before: nobody until 2026-12-07T12:00Z",
        "    after: alice@a.example until 2026-11-30T09:00Z, bob@a.example until 2026-12-07T09:00Z, alice@a.example until 2026-12-07T12:00Z",
        "    2026-11-23T12:00Z to 2026-11-30T09:00Z: alice@a.example instead of nobody",
        "    2026-11-30T09:00Z to 2026-12-07T09:00Z: bob@a.example instead of nobody",
        "    2026-12-07T09:00Z to 2026-12-07T12:00Z: alice@a.example instead of nobody",
        "    nights in the next 12 weeks: alice@a.example 0 -> 42, bob@a.example 0 -> 42",
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

  it("creates items and adds members before it removes any, and deletes an item after all items that refer to it", async () => {
    const { files, run, takeWrites } = await applyFile();
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

  it("deletes nothing without --prune", async () => {
    const { files, run, takeWrites } = await applyFile();
    files.set("f.yaml", "groups: []\n");

    const { code, text } = await run("plan f.yaml");
    expect(code).toBe(0);
    expect(text).toContain('? rule "Old" is not in the file; --prune deletes it');
    expect(text).toMatch(/0 to create, 0 to change, 0 to delete, 0 unchanged, 7 only in the workspace\.$/);
    await run("apply f.yaml");
    expect(takeWrites()).toEqual([]);
  });

  it("changes only entries that differ, each only if it still has the version that was read", async () => {
    const { files, run, takeWrites, requests } = await applyFile();
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
      "    layers: the people on call or their times change",
      '~ policy "Old"',
      expect.stringMatching(/^ {4}steps: .*5.* -> .*6/),
      '~ rule "Old"',
      "    eventKey: order.* -> orders.*",
      '~ silence "Old"',
      "    eventKey: x.* -> z.*",
      "0 to create, 4 to change, 0 to delete, 3 unchanged.",
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

  it("keeps a person in a rotation, by writing the schedule again, if the file removes the person only from the group", async () => {
    const { files, run, takeWrites } = await applyFile();
    files.set("f.yaml", before.replace(`members: [${alice}, ${bob}]`, `members: [${alice}]`));

    await run("apply f.yaml");

    expect(takeWrites()).toEqual(["DELETE groups/Operations/members/bob", "PUT groups/Operations/on-call"]);
  });

  it("lets the service decide whose turn it is in a rotation if the file does not name the first turn", async () => {
    const { requests } = await applyFile();
    const schedules = requests.filter(({ method, path }) => method === "PUT" && path.endsWith("/on-call"));

    expect(schedules.map(({ body }) => (body["layers"] as { first: number }[])[0]!.first)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("creates 101 items, and reads the list of existing items only twice", async () => {
    const many = Array.from({ length: 101 }, (_, index) => `  - { name: G${index}, members: [] }`).join("\n");
    const { files, run, requests } = aWorkspace(alice);
    files.set("f.yaml", `groups:\n${many}\n`);

    expect((await run("apply f.yaml")).text).toMatch(/Changes made: 101\.$/);
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(101);
  });
});

describe("an interrupted apply of a setup file", () => {
  // An interruption before a write has the same effect as one after the previous write.
  it("continues when it is run again, whichever write was its last, and creates nothing twice", async () => {
    for (let last = 1, isWhole = false; !isWhole; last += 1) {
      const { files, run, send, takeWrites } = await applyFile();
      files.set("f.yaml", after);
      let count = 0;
      const fetchUntilInterrupted: typeof fetch = async (url, init) => {
        count += init?.method === "GET" ? 0 : 1;
        if (count < last) return send(url, init);
        if (count === last && init?.method !== "GET") await send(url, init);
        throw new Error("interrupted");
      };

      const first = await run(`apply f.yaml --prune --keys-file ${last}.json`, { fetch: fetchUntilInterrupted });
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
