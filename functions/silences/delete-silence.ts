import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const deleteSilence = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("sil", "silenceId"))
    .handler(async (request) => {
      const { workspaceId, silenceId } = request;
      return deleted(
        await silences.deleteSilence(asCaller(deps, request), workspaceId, silenceId, expectedVersions(request)),
        "sil",
      );
    });

export const handler = deleteSilence(liveDeps());
