import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { wouldHaveCovered } from "../../core/flow/read/would-have-covered.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";

export const createSilence = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(SilenceInput, dearPatternsOf))
    .handler(async (request) => {
      const { workspaceId, body: input } = request;
      const covered = await wouldHaveCovered(deps, workspaceId, input);
      const silence = await silences.createSilence(asCaller(deps, request), workspaceId, input);
      const shown = { ...toSilenceView(silence, deps.now()), wouldHaveCovered: covered };
      return tagged(created(await withAuthor(deps, workspaceId, shown)), silence);
    });

export const handler = createSilence(liveDeps());
