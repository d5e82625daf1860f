import type { Deps } from "../../core/deps.ts";
import { SilenceInput, toSilenceView } from "../../core/domain/rules/silence.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const createSilence = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const silence = await silences.createSilence(deps, workspaceId, readBody(SilenceInput, request));
    return { status: 201, body: toSilenceView(silence, deps.now()) };
  });

export const handler = createSilence(liveDeps());
