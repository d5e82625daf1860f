import { DescribeUserPoolClientCommand } from "@aws-sdk/client-cognito-identity-provider";
import type { AuditDeps } from "../core/deps.ts";
import { roles, type Role } from "../core/domain/people/role.ts";
import { saveMember } from "../core/store/people/members.ts";
import type { Clients } from "./clients.ts";
import { localOption, connectToLocalService } from "./local.ts";
import {
  type Command,
  requireOption,
  requireOneOf,
  requireWorkspace,
  type Options,
  openStage,
  openTable,
} from "./options.ts";
import { OperatorError } from "./stage.ts";

type MachineClient = { clientId: string; clientSecret: string; tokenUrl: string };
type MachineTarget = { deps: AuditDeps; client: MachineClient };

/** The roles of machines. Machines cannot be owners, because no program should decide who is a member. */
const machineRoles = roles.filter((role): role is Exclude<Role, "owner"> => role !== "owner");

const createUnknownMachineError = (name: string, machineNames: readonly string[]): OperatorError =>
  new OperatorError(
    `The stage has no machine "${name}"${machineNames.length === 0 ? "" : `; it has ${machineNames.join(", ")}`}. Add the machine under "machines" in stages.json, and deploy.`,
  );

const readLocalMachine = (clients: Clients, dir: string, name: string): MachineTarget => {
  const { session, table } = connectToLocalService(dir, clients.newId("req"));
  const machine = session.machines.find((one) => one.name === name);
  if (machine === undefined)
    throw createUnknownMachineError(
      name,
      session.machines.map((one) => one.name),
    );
  return { deps: { table, now: clients.now, newId: clients.newId }, client: machine };
};

const readStageMachine = async (clients: Clients, options: Options, name: string): Promise<MachineTarget> => {
  const stage = await openStage(clients, options);
  const known = new Map(
    (stage.optional("MachineClientIds") ?? "").split(" ").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
  known.delete("");
  const clientId = known.get(name);
  if (clientId === undefined) throw createUnknownMachineError(name, [...known.keys()]);
  const { UserPoolClient: found } = await clients.cognito.send(
    new DescribeUserPoolClientCommand({ UserPoolId: stage("UserPoolId"), ClientId: clientId }),
  );
  if (found?.ClientSecret === undefined) throw new OperatorError(`The user pool returned no secret for ${clientId}.`);
  const client = { clientId, clientSecret: found.ClientSecret, tokenUrl: `${stage("SignInUrl")}/oauth2/token` };
  return { deps: await openTable(clients, options), client };
};

export const addMachine: Command = {
  does: "Makes a program, called a machine, a member of a workspace, and prints the id and the secret with which it requests tokens.",
  needs: {
    workspace: "the workspace's id",
    name: "the machine's name, as under machines in stages.json",
    role: `one of ${machineRoles.join(", ")}`,
  },
  takes: localOption,
  run: async (clients, options) => {
    const role = requireOneOf(options, "role", machineRoles);
    const name = requireOption(options, "name");
    const { local } = options;
    const { deps, client } =
      local === undefined ? await readStageMachine(clients, options, name) : readLocalMachine(clients, local, name);
    const ws = await requireWorkspace(deps, options);
    const userId = `mch_${client.clientId}`;
    await saveMember(deps, ws, { userId, name, email: "", role });
    return {
      workspaceId: ws,
      userId,
      role,
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      tokenUrl: client.tokenUrl,
    };
  },
};
