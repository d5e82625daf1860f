import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listSilences = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => {
      const all = await silences.listSilences(deps, workspaceId);
      return ok(all.map((silence) => toSilenceView(silence, deps.now())));
    });

export const handler = listSilences(liveDeps());
