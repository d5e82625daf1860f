import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const deleteSilence = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("sil", request, "silenceId");
    return deleted(await silences.deleteSilence(deps, workspaceId, id), "sil");
  });

export const handler = deleteSilence(liveDeps());
