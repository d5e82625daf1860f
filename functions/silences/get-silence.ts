import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { readSilence } from "../../core/store/silences.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getSilence = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("sil", "silenceId"))
    .handler(async ({ workspaceId, silenceId }) => {
      const silence = found(await readSilence(deps, workspaceId, silenceId), "sil");
      return tagged(ok(await withAuthor(deps, workspaceId, toSilenceView(silence, deps.now()))), silence);
    });

export const handler = getSilence(liveDeps());
