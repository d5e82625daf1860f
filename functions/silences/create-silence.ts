import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const createSilence = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(SilenceInput))
    .handler(async ({ workspaceId, body: input }) =>
      created(toSilenceView(await silences.createSilence(deps, workspaceId, input), deps.now())),
    );

export const handler = createSilence(liveDeps());
