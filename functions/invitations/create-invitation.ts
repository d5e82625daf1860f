import type { Deps } from "../../core/deps.ts";
import { invalid } from "../../core/domain/basics/refusal.ts";
import { InvitationInput, toInvitationView } from "../../core/domain/people/invitation.ts";
import { invite, unknownGroups, type InviteDeps } from "../../core/flow/admin/invite.ts";
import { liveBaseUrl, liveDeps } from "../../core/live.ts";
import { liveMail } from "../../core/live-contacts.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";

export const createInvitation = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & InviteDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(InvitationInput))
    .handler(async (request) => {
      const { workspaceId, caller, body: input } = request;
      const unknown = await unknownGroups(deps, workspaceId, input.groupIds);
      if (unknown.length > 0)
        throw invalid(
          input.groupIds.flatMap((id, index) =>
            unknown.includes(id)
              ? [
                  {
                    field: `groupIds[${index}]`,
                    code: "unknown_reference",
                    message: `groupIds[${index}] must be the id of a group of this workspace.`,
                  },
                ]
              : [],
          ),
        );
      const { kind, invitation, mailed } = await invite(asCaller(deps, request), workspaceId, input, caller.name);
      const view = toInvitationView(invitation, () => ({ id: caller.userId, name: caller.name }));
      return reply(kind === "created" ? 201 : 200, { ...view, mailed });
    });

export const handler = createInvitation({ ...liveDeps(), baseUrl: liveBaseUrl(), mail: liveMail() });
