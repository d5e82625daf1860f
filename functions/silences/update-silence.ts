import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { SilencePatch } from "../../core/domain/rules/silence-input.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { found } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const updateSilence = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("sil", "silenceId"))
    .use(body(SilencePatch))
    .handler(async ({ workspaceId, silenceId, body: patch }) => {
      const silence = found(await silences.updateSilence(deps, workspaceId, silenceId, patch), "sil");
      return ok(toSilenceView(silence, deps.now()));
    });

export const handler = updateSilence(liveDeps());
