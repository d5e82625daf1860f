import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { liveDeps } from "../../core/live.ts";
import { readSilence } from "../../core/store/silences.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getSilence = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("sil", request, "silenceId");
    return { status: 200, body: toSilenceView(found(await readSilence(deps, workspaceId, id), "sil"), deps.now()) };
  });

export const handler = getSilence(liveDeps());
