import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const deleteSilence = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("sil", "silenceId"))
    .handler(async ({ workspaceId, silenceId }) =>
      deleted(await silences.deleteSilence(deps, workspaceId, silenceId), "sil"),
    );

export const handler = deleteSilence(liveDeps());
