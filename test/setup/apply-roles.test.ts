import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";
import { alice, bob, carol } from "./applying.ts";

const createRoles = (...entries: [string, string][]) =>
  `people:\n${entries.map(([person, role]) => `  - { person: ${person}, role: ${role} }\n`).join("")}`;

describe("applying the roles of a setup file", () => {
  it("sets the roles of members by their addresses, the higher roles first and the lower roles last", async () => {
    const { files, run, takeWrites } = aWorkspace(alice, bob, carol);
    files.set(
      "f.yaml",
      `${createRoles([alice, "viewer"], [bob, "owner"])}groups:\n  - { name: Ops, members: [${carol}] }\n`,
    );

    expect((await run("plan f.yaml")).text).toContain(`~ person "${bob}"\n    role: manager -> owner`);
    expect(await run("apply f.yaml")).toMatchObject({ code: 0 });

    expect(takeWrites()).toEqual([
      "PATCH members/bob",
      "POST groups Ops",
      "POST groups/Ops/members carol",
      "PATCH members/alice",
    ]);
    expect((await run("plan f.yaml")).text).toBe("0 to create, 0 to change, 0 to delete, 3 unchanged.");
  });

  it("leaves the roles of members whom the file does not name unchanged, also with --prune", async () => {
    const { files, run, takeWrites } = aWorkspace(alice, bob);
    files.set("f.yaml", createRoles([alice, "owner"]));
    await run("apply f.yaml");
    files.set("f.yaml", createRoles([bob, "viewer"]));
    takeWrites();

    await run("apply f.yaml --prune");

    expect(takeWrites()).toEqual(["PATCH members/bob"]);
  });

  it("fails for people who are not members, and if somebody else sets another role meanwhile", async () => {
    const { files, run, send, byHand } = aWorkspace(alice, bob);
    files.set("f.yaml", createRoles([carol, "viewer"]));
    expect(await run("apply f.yaml")).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${carol} is not a member of the workspace`),
    });

    files.set("f.yaml", createRoles([bob, "viewer"]));
    const applyDuringChange = (role: string) => {
      let lists = 0;
      const fetchAndChangeRole: typeof fetch = (url, init) => {
        const { pathname } = new URL(url instanceof Request ? url.url : url);
        if (pathname.endsWith("/members") && (lists += 1) === 2) byHand("PATCH", "/members/usr_bob", { role });
        return send(url, init);
      };
      return run("apply f.yaml", { fetch: fetchAndChangeRole });
    };
    expect(await applyDuringChange("owner")).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        `Meanwhile somebody else changed the role of ${bob}. Somebody else is changing this workspace`,
      ),
    });
    expect(await applyDuringChange("viewer")).toMatchObject({ code: 0 });
  });
});

it("an export contains all roles but the default; an export into an existing file adds the roles of its people", async () => {
  const { files, run, byHand } = aWorkspace(alice, bob, carol);
  byHand("PATCH", "/members/usr_alice", { role: "owner" });

  await run("export new.yaml");
  expect(files.get("new.yaml")).toContain(`people:\n  - person: ${alice}\n    role: owner\n`);
  expect(files.get("new.yaml")).not.toContain(bob);

  files.set("f.yaml", createRoles([bob, "viewer"]));
  await run("export f.yaml");
  expect(files.get("f.yaml")).toContain(`person: ${bob}, role: manager`);
});
