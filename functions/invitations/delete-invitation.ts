import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as invitations from "../../core/store/invitations.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const deleteInvitation = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("inv", "invitationId"))
    .handler(async (request) =>
      deleted(
        await invitations.deleteInvitation(asCaller(deps, request), request.workspaceId, request.invitationId),
        "inv",
      ),
    );

export const handler = deleteInvitation(liveDeps());
