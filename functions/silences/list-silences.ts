import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { withAuthors } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";
import { readActive } from "../http/query.ts";

export const listSilences = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after", "active"))
    .handler(async (request) => {
      const wanted = readActive(request);
      const all = await silences.listSilences(deps, request.workspaceId);
      const views = all.map((silence) => toSilenceView(silence, deps.now()));
      const shown = wanted === undefined ? views : views.filter(({ active }) => active === wanted);
      return listed(request, await withAuthors(deps, request.workspaceId, shown), ({ id }) => id);
    });

export const handler = listSilences(liveDeps());
