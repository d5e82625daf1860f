import { createApi } from "../app/api.ts";
import type { StatusText } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { switchWorkspace, workspaces } from "../app/workspace.ts";
import { texts as all } from "../page-texts/frame.ts";
import { Action } from "./action.tsx";

const { join: texts } = all;

export const Invitations = ({ invitations }: { invitations: readonly Answers["OwnInvitation"][] }) => {
  const known = workspaces.value?.state.value;
  const mine = new Set(known?.kind === "ready" ? known.data.map(({ id }) => id) : []);
  return (
    <>
      {invitations
        .filter(({ workspace }) => !mine.has(workspace.id))
        .map(({ id, workspace, role, invitedBy }) => {
          const acceptInvitation = async (): Promise<StatusText> => {
            const path = { invitationId: id };
            const { workspaceId } = await createApi("")("invitations/accept-invitation", { path });
            await workspaces.peek()?.refresh();
            switchWorkspace(workspaceId);
            return texts.joined(workspace.name);
          };
          const who = invitedBy === null || invitedBy.name === "" ? undefined : invitedBy.name;
          return (
            <p key={id} class="note">
              {texts.ask(who, workspace.name, all.roles.names[role])}{" "}
              <Action look="main" action={acceptInvitation} label={`${texts.join}: ${workspace.name}`} role="viewer">
                {texts.join}
              </Action>
            </p>
          );
        })}
    </>
  );
};
