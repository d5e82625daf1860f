import type { Deps } from "../../core/deps.ts";
import { listOwnInvitations } from "../../core/flow/read/list-invitations.ts";
import type { ReadProfile } from "../../core/identity/profile.ts";
import { liveDeps, liveReadProfile } from "../../core/live.ts";
import { accessTokenOf, session } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";

export const listMyInvitations = (deps: Pick<Deps, "table" | "now" | "log"> & { readProfile: ReadProfile }) =>
  endpoint(deps)
    .use(session("after"))
    .handler(async (request) => {
      const { email } = await deps.readProfile(accessTokenOf(request));
      return listed(request, await listOwnInvitations(deps, email), ({ id }) => id);
    });

export const handler = listMyInvitations({ ...liveDeps(), readProfile: liveReadProfile() });
