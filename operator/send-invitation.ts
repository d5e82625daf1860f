import { listMembers } from "../core/store/people/read-members.ts";
import { createProgress } from "../tools/program.ts";
import type { Clients } from "./clients.ts";
import { type Command, requireOption, requireWorkspace, type Options, openStage, openTable } from "./options.ts";
import { resendInvitation, listUsers } from "./people.ts";
import { OperatorError } from "./stage.ts";

/** Cognito's status of an account whose temporary password was never used. */
const NEVER_SIGNED_IN = "FORCE_CHANGE_PASSWORD";

/** Lists the addresses of members who have never signed in, those with the oldest invitation email first. */
const listNeverSignedInAddresses = async (clients: Clients, options: Options, pool: string): Promise<string[]> => {
  const deps = await openTable(clients, options);
  const members = new Set((await listMembers(deps, await requireWorkspace(deps, options))).map(({ userId }) => userId));
  return (await listUsers(clients, pool))
    .filter(({ userId, status, enabled }) => members.has(userId) && status === NEVER_SIGNED_IN && enabled === true)
    .toSorted((one, other) => one.changedAt - other.changedAt)
    .flatMap(({ email }) => (email === null ? [] : [email]));
};

export const sendInvitation: Command = {
  does: "Emails a new temporary password, valid for three days, to somebody who has never signed in, or to all such members of a workspace.",
  needs: {},
  takes: { email: "the person's email address", workspace: "the workspace's id" },
  run: async (clients, options) => {
    const { email, workspace } = options;
    if ((email === undefined) === (workspace === undefined))
      throw new OperatorError("Set either --email or --workspace.");
    const pool = (await openStage(clients, options))("UserPoolId");
    if (email !== undefined) {
      if ((await resendInvitation(clients, pool, requireOption(options, "email"))) === "signed_in")
        throw new OperatorError(
          `${email} has signed in before. For a forgotten password, the sign-in page has a link.`,
        );
      return { mailed: [email] };
    }
    const waiting = await listNeverSignedInAddresses(clients, options, pool);
    const tick = createProgress(process.stderr)("mails", waiting.length);
    const mailed: string[] = [];
    for (const address of waiting) {
      try {
        if ((await resendInvitation(clients, pool, address)) === "mailed") mailed.push(address);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        throw new OperatorError(
          `${address}: ${error.message}\n${mailed.length} of ${waiting.length} people were mailed. Run the command again to mail the others.`,
        );
      }
      tick();
    }
    return { mailed };
  },
};
