import type { Deps } from "../../core/deps.ts";
import { SilencePatch, toSilenceView } from "../../core/domain/rules/silence.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const updateSilence = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("sil", request, "silenceId");
    const patch = readBody(SilencePatch, request);
    const silence = found(await silences.updateSilence(deps, workspaceId, id, patch), "sil");
    return { status: 200, body: toSilenceView(silence, deps.now()) };
  });

export const handler = updateSilence(liveDeps());
