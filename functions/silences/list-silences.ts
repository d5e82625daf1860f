import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listSilences = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const all = await silences.listSilences(deps, workspaceId);
    return { status: 200, body: all.map((silence) => toSilenceView(silence, deps.now())) };
  });

export const handler = listSilences(liveDeps());
