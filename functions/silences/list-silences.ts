import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listSilences = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const all = await silences.listSilences(deps, request.workspaceId);
      return listed(
        request,
        all.map((silence) => toSilenceView(silence, deps.now())),
        ({ id }) => id,
      );
    });

export const handler = listSilences(liveDeps());
