import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { DescribeUserPoolClientCommand } from "@aws-sdk/client-cognito-identity-provider";
import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { toRole } from "../../core/domain/people/member.ts";
import { listMembers, readOwners } from "../../core/store/people/read-members.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { addMachine } from "../../operator/machines.ts";
import { createTestClock } from "../world/clock.ts";
import { useTable } from "../world/use-table.ts";
import { mockedClients, createStackDescription } from "./clients.ts";

const stand = await useTable();
const { deps: clock } = createTestClock();
const {
  clients,
  mocks: { cloudFormation, cognito },
} = mockedClients(stand, clock);

const setMachines = (machines: string | undefined) =>
  cloudFormation.on(DescribeStacksCommand).resolves(
    createStackDescription({
      UserPoolId: "eu-central-1_pool",
      SignInUrl: "https://sign-in.example",
      TableName: stand.table.name,
      ...(machines === undefined ? {} : { MachineClientIds: machines }),
    }),
  );

beforeEach(() => {
  cloudFormation.reset();
  cognito.reset();
  setMachines("ci=1example23456789 deploy=2example23456789");
  cognito
    .on(DescribeUserPoolClientCommand, { UserPoolId: "eu-central-1_pool", ClientId: "1example23456789" })
    .resolves({ UserPoolClient: { ClientSecret: "hush" } });
});

const runAddMachine = (options: Record<string, string>) => addMachine.run(clients, { stage: "prod", ...options });

const newWorkspace = async () => {
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  return (await createWorkspace({ ...clock, table: stand.table }, { name: "Acme", creator })).id;
};
const readRoles = async (ws: WorkspaceId) => {
  const owners = await readOwners(stand, ws);
  return Object.fromEntries((await listMembers(stand, ws)).map((one) => [one.userId, toRole(one, owners)]));
};

describe("a machine that an operator adds", () => {
  it("becomes a member, and its credentials are printed", async () => {
    const workspace = await newWorkspace();

    expect(await runAddMachine({ workspace, name: "ci", role: "manager" })).toEqual({
      workspaceId: workspace,
      userId: "mch_1example23456789",
      role: "manager",
      clientId: "1example23456789",
      clientSecret: "hush",
      tokenUrl: "https://sign-in.example/oauth2/token",
    });
    expect(await listMembers(stand, workspace)).toContainEqual(
      expect.objectContaining({ userId: "mch_1example23456789", name: "ci", email: "" }),
    );
  });

  it("is not an owner, even if all members are owners because no role was set yet", async () => {
    const workspace = await newWorkspace();

    await runAddMachine({ workspace, name: "ci", role: "viewer" });
    expect(await readRoles(workspace)).toEqual({ usr_b: "owner", mch_1example23456789: "viewer" });

    await runAddMachine({ workspace, name: "ci", role: "responder" });
    expect(await readRoles(workspace)).toEqual({ usr_b: "owner", mch_1example23456789: "responder" });
  });

  it.each([
    ["the role owner", { role: "owner", name: "ci" }, "--role must be one of viewer, responder, manager."],
    [
      "a machine that the stage does not have",
      { role: "viewer", name: "CD" },
      'no machine "CD"; it has ci, deploy. Add the machine',
    ],
    ["a workspace that does not exist", { role: "viewer", name: "ci", workspace: "ws_none" }, "no workspace ws_none"],
  ])("is refused for %s", async (_, options, message) => {
    await expect(runAddMachine({ workspace: await newWorkspace(), ...options })).rejects.toThrow(message);
  });

  it("is refused if the user pool does not show its secret", async () => {
    cognito.on(DescribeUserPoolClientCommand).resolves({});

    await expect(runAddMachine({ workspace: await newWorkspace(), name: "ci", role: "viewer" })).rejects.toThrow(
      "The user pool returned no secret for 1example23456789.",
    );
  });

  it("is refused if the stage has no machines", async () => {
    setMachines(undefined);

    await expect(runAddMachine({ workspace: await newWorkspace(), name: "ci", role: "viewer" })).rejects.toThrow(
      'The stage has no machine "ci". Add the machine under "machines" in stages.json, and deploy.',
    );
  });
});
