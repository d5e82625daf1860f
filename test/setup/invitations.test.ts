import { describe, expect, it } from "vitest";
import { bindAuthor } from "../../core/deps.ts";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { connect } from "../../conformance/client.ts";
import { startServedApp } from "../support/filled-app.ts";
import { runOn } from "./running.ts";

const { app, served } = await startServedApp();
const [acme] = served.session.workspaces;
const [alice, bob] = acme!.members;
const http = connect(served.baseUrl);

/** Alice is the owner, Bob a manager. */
const createWorkspace = async () => {
  const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await http(method, path, { token: alice!.token, ...(body === undefined ? {} : { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as Body;
  };
  const { id } = await ask<{ id: WorkspaceId }>("POST", "/v1/workspaces", { name: "New" });
  const root = `/v1/workspaces/${id}`;
  const { userId, name, email } = bob!;
  await ask("POST", `${root}/members`, { userId, name, email, role: "manager" });
  const run = async (command: string, file: string | undefined, token = alice!.token, by = fetch) => {
    const files = new Map(file === undefined ? [] : [["f.yaml", file]]);
    const env = { BASE_URL: served.baseUrl, WORKSPACE_ID: id, SESSION_TOKEN: token };
    return { ...(await runOn(files, [command, "f.yaml"], { env, fetch: by })), written: files.get("f.yaml") ?? "" };
  };
  const get = <Body>(path: string) => ask<Body>("GET", `${root}${path}`);
  return { id, get, run };
};

const NINA = "usr_0e3c0e00000000000000000000000009";
/** Accepts with the address that the user pool has for Nina. */
const acceptAsNina = async (invitationId: string) => {
  app.profiles.set("nina", { name: "Nina", email: "Nina@acme.example" });
  const answer = await app.ask(`/v1/invitations/${invitationId}/accept`, {
    method: "POST",
    as: NINA,
    headers: { authorization: "Bearer nina" },
  });
  expect(answer.status).toBe(200);
};

type Open = { id: string; email: string; role: string; groupIds: string[] };
/** Returns a file as export writes it, which also names the owner. */
const createExportedFile = (role: string, ...members: string[]) => `people:
  - {person: Nina@acme.example, role: ${role}, invite: true}
  - {person: bob@acme.example, role: manager, invite: true}
  - person: alice@acme.example
    role: owner
groups:
  - {name: Operations, members: [${["alice@acme.example", ...members].join(", ")}]}
  - {name: Leads, members: [alice@acme.example]}
`;
const createFile = (role = "responder", yaml = "") => `people:
  - { person: Nina@acme.example, role: ${role}, invite: true }
  - { person: bob@acme.example, role: manager, invite: true }
groups:
  - { name: Operations, members: [alice@acme.example, nina@acme.example] }
  - { name: Leads, members: [alice@acme.example] }
${yaml}`;

describe("a person whom the setup file invites", () => {
  it("is invited once, with the role and the groups for which the file names the person", async () => {
    const { get, run } = await createWorkspace();

    const plan = await run("plan", createFile());
    expect([plan.code, plan.text]).toEqual([2, expect.stringContaining('+ person "nina@acme.example"')]);
    expect(await get<Open[]>("/invitations")).toEqual([]);

    const applied = await run("apply", createFile());
    expect([applied.code, applied.text]).toEqual([
      0,
      expect.stringContaining("invited nina@acme.example as responder"),
    ]);
    const groups = new Map((await get<{ id: string; name: string }[]>("/groups")).map(({ id, name }) => [name, id]));
    expect(await get<Open[]>("/invitations")).toMatchObject([
      { email: "nina@acme.example", role: "responder", groupIds: [groups.get("Operations")] },
    ]);

    expect((await run("plan", createFile())).code).toBe(0);
    expect(await run("apply", createFile())).toMatchObject({ code: 0, text: "Nothing to change." });
    const inBoth = createFile().replace("Leads, members: [", "Leads, members: [nina@acme.example, ");
    await run("apply", inBoth);
    expect((await run("plan", inBoth)).code).toBe(0);
  });

  it("gets another role in the invitation when the file changes, and is a normal member after accepting it", async () => {
    const { get, run } = await createWorkspace();
    await run("apply", createFile());
    await run("apply", createFile("viewer"));
    const [open] = await get<Open[]>("/invitations");
    expect(open).toMatchObject({ role: "viewer" });

    await acceptAsNina(open!.id);

    expect((await run("plan", createFile("viewer"))).code).toBe(0);
    expect((await run("apply", createFile("manager"))).text).toContain("made nina@acme.example manager");
    expect(await get<Open[]>("/invitations")).toEqual([]);
  });

  it("is not on call before joining the workspace", async () => {
    const { run } = await createWorkspace();
    const layer = "{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [nina@acme.example] }";
    const schedule = `schedules:\n  - { group: Operations, timeZone: UTC, layers: [${layer}] }\n`;

    expect(await run("apply", createFile("viewer", schedule))).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /^f\.yaml:8:\d+: warning: nina@acme\.example has not joined yet; schedules and policies can name them after they have joined\.\nNot applied, because these entries name people who are not members: schedule of "Operations"\.\n/,
      ) as string,
    });
  });

  it("can be invited only by owners", async () => {
    const { run } = await createWorkspace();

    expect(await run("plan", createFile(), bob!.token)).toMatchObject({
      code: 1,
      text: "GET /invitations: This requires the role owner; yours is manager. An owner of the workspace can change your role.",
    });
  });
});

describe("the export of invitations", () => {
  it("has the people whom the workspace has invited, so that the exported file changes nothing", async () => {
    const { run } = await createWorkspace();
    await run("apply", createFile("manager"));

    const { text, written } = await run("export", undefined);

    expect(text).toContain(
      "Invited but not joined yet: 1. Until they join, only an owner can plan and apply the file.",
    );
    expect(written).toContain("  - person: nina@acme.example\n    role: manager\n    invite: true\n");
    expect(written).toMatch(/name: Operations\n {4}members:\n {6}- alice@acme.example\n {6}- nina@acme.example\n/);
    expect(await run("plan", written)).toMatchObject({ code: 0 });
    // A file exported from one workspace creates an equal one.
    const another = await createWorkspace();
    expect(await another.run("apply", written)).toMatchObject({ code: 0 });
    expect(await another.get<Open[]>("/invitations")).toMatchObject([{ email: "nina@acme.example", role: "manager" }]);
  });

  it("changes nothing in a file that already names the invited people, including people who have joined", async () => {
    const { get, run } = await createWorkspace();
    const file = createExportedFile("viewer", "nina@acme.example");
    await run("apply", createFile("viewer"));

    expect((await run("export", createFile("viewer"))).written).toBe(file);
    await acceptAsNina((await get<Open[]>("/invitations"))[0]!.id);
    expect((await run("export", file)).written).toBe(file);
  });

  it("leaves out people whose invitation is deleted, and has the current roles of all other invitations", async () => {
    const { id, get, run } = await createWorkspace();
    await run("apply", createFile());
    const root = `/v1/workspaces/${id}/invitations`;
    const [open] = await get<Open[]>("/invitations");
    const body = { email: open!.email, role: "viewer", groupIds: [] };
    expect((await http("POST", root, { token: alice!.token, body })).status).toBe(200);

    const { written } = await run("export", createFile());
    expect(written).toBe(createExportedFile("viewer"));
    expect(await run("plan", written)).toMatchObject({ code: 0 });

    await http("DELETE", `${root}/${open!.id}`, { token: alice!.token });
    expect((await run("export", createFile())).written).not.toContain("ina@acme.example");
  });

  it("names a member once, although the member still has an open invitation", async () => {
    const { id, get, run } = await createWorkspace();
    await run("apply", createFile());
    const member = { userId: NINA, name: "Nina", email: "nina@acme.example", role: "viewer" } as const;
    await saveMember(bindAuthor(app.deps, createOperatorAuthor("req_1")), id, member);
    expect(await get<Open[]>("/invitations")).toMatchObject([{ email: member.email }]);

    const { written } = await run("export", undefined);

    expect(written.match(/person: nina@.*\n.*\n/g)).toEqual(["person: nina@acme.example\n    role: viewer\n"]);
  });

  it("fails if the invitations cannot be read, instead of leaving them out", async () => {
    const { run } = await createWorkspace();
    await run("apply", createFile());
    const failing: typeof fetch = (input, init) =>
      new Request(input).url.includes("/invitations")
        ? Promise.resolve(new Response("{}", { status: 404 }))
        : fetch(input, init);

    expect(await run("export", createFile(), alice!.token, failing)).toMatchObject({ code: 1, written: createFile() });
  });

  it("keeps the file's invited people for a person who may not see invitations, and says that there may be others", async () => {
    const { run } = await createWorkspace();
    await run("apply", createFile());

    const { code, text, written } = await run("export", createFile(), bob!.token);
    expect([code, written]).toEqual([0, createExportedFile("responder", "nina@acme.example")]);
    expect(text).toContain("Only owners see invitations and pay");
    expect((await run("export", undefined, bob!.token)).written).not.toContain("nina@acme.example");
  });
});

it("a file with the address of a person who is neither a member nor invited is reported, and nobody is invited", async () => {
  const { get, run } = await createWorkspace();

  const { code, text } = await run("apply", "people:\n  - { person: bop@acme.example, role: viewer }\n");

  expect([code, text]).toEqual([
    1,
    expect.stringMatching(
      /^f\.yaml:2:15: warning: bop@acme\.example is not a member .* Did you mean bob@acme\.example\?$/m,
    ),
  ]);
  expect(await get<Open[]>("/invitations")).toEqual([]);
});
