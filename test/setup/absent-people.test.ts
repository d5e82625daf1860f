import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";
import { alice, applyFile, before, bob, carol } from "./applying.ts";

/* A file of several teams, in which one person is not a member of the workspace. */

const zoe = "zoe.gone@elsewhere.example";
const gone = `groups:
  - { name: Days, members: [${alice}] }
  - { name: Nights, members: [${bob}, ${zoe}] }
schedules:
  - group: Nights
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${bob}, ${zoe}] }]
policies:
  - { name: By night, steps: [{ delayMinutes: 5, targets: [{ user: ${zoe} }] }] }
rules:
  - { name: Days, eventKey: "a.*", groups: [Days] }
  - { name: Nights, eventKey: "b.*", groups: [Nights], policy: By night, requiresAck: true }
connections:
  - { name: Room, kind: slack, channel: C0123456789, rules: [Nights] }
  - { name: Other room, kind: slack, channel: C0123456788, rules: [Days] }
`;
const why = `warning: ${zoe} is not a member of the workspace: add them under Members, or set \`invite: true\` for them in the section people.`;
const places = ["3:46", "7:93", "9:68"];
const leftOut =
  'Not applied, because these entries name people who are not members: schedule of "Nights", policy "By night", rule "Nights", connection "Room".';

describe("a person in the setup file who is not a member", () => {
  it("causes a warning at each place that names them, and everything else is planned", async () => {
    const { files, run } = aWorkspace(alice, bob);
    files.set("f.yaml", gone);

    const { code, text } = await run("plan f.yaml --events 0");

    expect(code).toBe(2);
    expect(text.split("\n").slice(0, 9)).toEqual([
      ...places.map((place) => `f.yaml:${place}: ${why}`),
      leftOut,
      '+ group "Days"',
      '+ group "Nights"',
      '+ rule "Days"',
      '+ connection "Other room"',
      "4 to create, 0 to change, 0 to delete, 0 unchanged.",
    ]);
  });

  it("blocks only entries that depend on them, and the exit code says that entries were left out", async () => {
    const { files, run, takeWrites } = aWorkspace(alice, bob);
    files.set("f.yaml", gone);

    expect((await run("apply f.yaml")).code).toBe(1);

    expect(takeWrites()).toEqual([
      "POST groups Days",
      "POST groups Nights",
      "POST groups/Days/members alice",
      "POST groups/Nights/members bob",
      "POST routing-rules Days",
      "POST connections Other room",
    ]);
  });

  it("leaves workspace entries that name them unchanged, also with --prune", async () => {
    const { files, run, takeWrites } = await applyFile();
    files.set("f.yaml", before.replaceAll(`participants: [${alice}, ${bob}]`, `participants: [${alice}, ${zoe}]`));

    const { code, text } = await run("apply f.yaml --prune");

    expect([code, text]).toEqual([
      1,
      expect.stringContaining('name people who are not members: schedule of "Operations".') as string,
    ]);
    expect(takeWrites()).toEqual([]);
  });

  it("does not block the rules of a policy that the workspace already has", async () => {
    const { files, run, takeWrites } = await applyFile();
    const policy = "targets: [{ group: Old }]";
    files.set("f.yaml", before.replace(policy, `targets: [{ user: ${zoe} }]`).replace("order.*", "order.failed"));

    await run("apply f.yaml");

    expect(takeWrites()).toEqual(["PATCH routing-rules/Old"]);
  });

  it("is reported with a suggestion if a member has almost the same address", async () => {
    const { files, run } = aWorkspace(alice, bob, carol);
    files.set("f.yaml", "groups: [{ name: A, members: [alise@a.example] }]");

    expect((await run("plan f.yaml")).text).toContain(`in the section people. Did you mean ${alice}?`);
  });

  it("is reported without suggesting an id", async () => {
    const { files, run } = aWorkspace(alice, bob, carol);
    files.set("f.yaml", "groups: [{ name: A, members: [usr_alise] }]");

    expect((await run("plan f.yaml")).text).not.toContain("Did you mean");
  });
});
