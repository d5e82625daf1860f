import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/admin/invite.ts";
import type { ReadProfile } from "../../core/identity/profile.ts";
import { liveDeps, liveReadProfile } from "../../core/live.ts";
import { asCaller } from "../http/as-caller.ts";
import { accessTokenOf, session } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const acceptInvitation = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { readProfile: ReadProfile }) =>
  endpoint(deps)
    .use(session())
    .use(pathId("inv", "invitationId"))
    .handler(async (request) => {
      const { name, email } = await deps.readProfile(accessTokenOf(request));
      const person = { userId: request.caller.userId, name, email };
      return ok(await flow.acceptInvitation(asCaller(deps, request), request.invitationId, person));
    });

export const handler = acceptInvitation({ ...liveDeps(), readProfile: liveReadProfile() });
