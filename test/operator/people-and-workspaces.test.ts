import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminUserGlobalSignOutCommand,
  ListUsersCommand,
  UserNotFoundException,
} from "@aws-sdk/client-cognito-identity-provider";
import { beforeEach, describe, expect, test } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { listMembers } from "../../core/store/people/read-members.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { SUB, USER, alice, bob, aStage } from "./fake-stage.ts";

const { stand, deps, cognito, run } = await aStage();

test("first-workspace invites a person to the user pool, and makes the person a member of the new workspace", async () => {
  cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [{ Name: "sub", Value: SUB }] } });

  const made = (await run("first-workspace", { workspace: "Acme", ...alice })) as { workspaceId: WorkspaceId };

  expect(made).toMatchObject({ userId: USER, invited: true });
  expect(await listMembers(stand, made.workspaceId)).toMatchObject([{ userId: USER, ...alice }]);
  expect(cognito.commandCalls(AdminCreateUserCommand)[0]?.args[0].input).toMatchObject({
    UserPoolId: "eu-central-1_pool",
    Username: "alice@acme.example",
  });
});

test("an operator can add a user only to a workspace that exists", async () => {
  cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [{ Name: "sub", Value: SUB }] } });
  const { id } = await createWorkspace(deps, { name: "Acme", creator: bob });

  await run("add-user", { workspace: id, ...alice });

  expect((await listMembers(stand, id)).map(({ userId }) => userId).sort()).toEqual([USER, bob.userId].sort());
  await expect(run("add-user", { workspace: "ws_none", ...alice })).rejects.toThrow("There is no workspace ws_none.");
});

describe("the operator's lists", () => {
  test("contain all workspaces once each, the oldest first, and read no other data", async () => {
    const { id: first } = await createWorkspace(deps, { name: "First", creator: bob });
    const { id: second } = await createWorkspace(deps, { name: "Second", creator: bob });
    stand.usedActions();

    const listed = (await run("workspaces", {})) as { workspaceId: WorkspaceId; name: string }[];

    expect(stand.usedActions()).toEqual(new Set(["Query", "BatchGetItem"]));
    const ids = listed.map(({ workspaceId }) => workspaceId);
    expect(ids.filter((id) => id === first || id === second)).toEqual([first, second]);
    expect(listed.find(({ workspaceId }) => workspaceId === first)?.name).toBe("First");
  });

  test("find a person's workspaces by the email address", async () => {
    const { id } = await createWorkspace(deps, { name: "Alice's", creator: { userId: USER, ...alice } });
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: "sub", Value: SUB }] });

    expect(await run("workspaces", { email: alice.email })).toContainEqual(
      expect.objectContaining({ workspaceId: id, name: "Alice's" }),
    );
  });

  test("contain the people of the user pool, or the members of a workspace and whether a push would reach each of them", async () => {
    const Attributes = Object.entries({ sub: "a-1", email: "a@acme.example" }).map(([Name, Value]) => ({
      Name,
      Value,
    }));
    cognito.on(ListUsersCommand).resolves({ Users: [{ Attributes, Enabled: true, UserStatus: "CONFIRMED" }] });
    const { id } = await createWorkspace(deps, { name: "Acme", creator: bob });

    expect(await run("people", {})).toEqual([
      { userId: "usr_a1", email: "a@acme.example", name: null, status: "CONFIRMED", enabled: true },
    ]);
    expect(await run("people", { workspace: id })).toMatchObject([{ ...bob, reachable: "no" }]);
  });
});

describe("a person whom an operator disables", () => {
  const user = { UserPoolId: "eu-central-1_pool", Username: "alice@acme.example" };
  let people = 0;
  const createSub = (): string => {
    people += 1;
    return String(people).padStart(32, "0");
  };
  let sub: string;
  let userId: string;
  beforeEach(() => {
    sub = createSub();
    userId = `usr_${sub}`;
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: "sub", Value: sub }] });
    cognito.on(AdminDisableUserCommand).resolves({});
    cognito.on(AdminUserGlobalSignOutCommand).resolves({});
    cognito.on(AdminEnableUserCommand).resolves({});
  });

  test("cannot sign in, is signed out, and stays a member until they are removed", async () => {
    const { id: shared } = await createWorkspace(deps, { name: "Shared", creator: { userId, ...alice } });
    await saveMember(deps, shared, { ...bob, role: "owner" });
    const { id: alone } = await createWorkspace(deps, { name: "Alone", creator: { userId, ...alice } });
    const { id: owned } = await createWorkspace(deps, { name: "Owned", creator: { userId, ...alice } });
    await saveMember(deps, owned, bob);

    expect(await run("disable-person", { email: alice.email })).toEqual({
      userId,
      enabled: false,
      left: [],
      memberOf: [shared, alone, owned],
    });
    expect(cognito.calls().map(({ args: [command] }) => [command.constructor.name, command.input])).toEqual([
      ["AdminGetUserCommand", user],
      ["ListUsersCommand", { UserPoolId: user.UserPoolId, Filter: 'email = "alice@acme.example"' }],
      ["AdminDisableUserCommand", user],
      ["AdminUserGlobalSignOutCommand", user],
    ]);
    // The last owner of a workspace cannot leave it.
    expect(await run("disable-person", { email: alice.email, leave: "yes" })).toEqual({
      userId,
      enabled: false,
      left: [shared],
      memberOf: [alone, owned],
    });
    expect((await listMembers(stand, shared)).map((member) => member.userId)).toEqual(["usr_b"]);

    await run("enable-person", { email: alice.email });
    expect(cognito.commandCalls(AdminEnableUserCommand)[0]?.args[0].input).toEqual(user);
  });

  test("is disabled in every account with the address, including accounts of an identity provider", async () => {
    const other = createSub();
    const elsewhere = { Username: "SingleSignOn_alice", Attributes: [{ Name: "sub", Value: other }] };
    cognito
      .on(ListUsersCommand, { Filter: 'email = "alice@acme.example"' })
      .resolves({ Users: [{ Username: "alice", Attributes: [{ Name: "sub", Value: sub }] }, elsewhere] });
    const creator = { userId: `usr_${other}`, ...alice };
    const { id } = await createWorkspace(deps, { name: "By the other", creator });

    expect(await run("disable-person", { email: alice.email })).toMatchObject({
      userId,
      memberOf: expect.arrayContaining([id]) as string[],
    });
    expect(cognito.commandCalls(AdminDisableUserCommand).map(({ args: [command] }) => command.input.Username)).toEqual([
      alice.email,
      "SingleSignOn_alice",
    ]);

    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException({ message: "unknown", $metadata: {} }));
    cognito.on(ListUsersCommand).resolves({ Users: [elsewhere] });
    expect(await run("workspaces", { email: alice.email })).toMatchObject([{ workspaceId: id }]);
  });

  test("must exist, and leaves the workspaces only if the operator asks for it", async () => {
    await expect(run("disable-person", { email: alice.email, leave: "no" })).rejects.toThrow(
      "--leave must be yes, or left out.",
    );
    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException({ message: "unknown", $metadata: {} }));
    await expect(run("disable-person", { email: alice.email })).rejects.toThrow(
      "The user pool has nobody with the address alice@acme.example.",
    );
    expect(cognito.commandCalls(AdminDisableUserCommand)).toEqual([]);
  });
});

test("an operator signs in to the stage's user pool", async () => {
  const auth = { UserPoolId: "eu-central-1_pool", ClientId: "client" };
  cognito.on(AdminInitiateAuthCommand, auth).resolves({ AuthenticationResult: { AccessToken: "token" } });

  expect(await run("session", { email: "alice@acme.example", password: "correct horse" })).toEqual({ token: "token" });
});

test("an operator gets no session without a password", async () => {
  await expect(run("session", { email: "alice@acme.example" })).rejects.toThrow("Set OPERATOR_PASSWORD");
});
