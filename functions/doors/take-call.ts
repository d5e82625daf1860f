import type { Deps } from "../../core/deps.ts";
import { toCallAnswer } from "../../core/domain/heartbeat/heartbeat.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/rules/heartbeats.ts";
import { requireFound } from "../http/require-found.ts";
import { createPipeline, replyOk } from "../http/endpoint.ts";
import { allowSlashAtEnd } from "../http/trailing-slash.ts";

/** Creates the handler of `GET`, `HEAD` or `POST /v1/heartbeats/<secret>`, which accepts the call of a heartbeat. */
export const takeCall = (deps: Pick<Deps, "table" | "now" | "log">) =>
  createPipeline(deps)
    .use(allowSlashAtEnd(""))
    .handler(async ({ path }) =>
      replyOk(toCallAnswer(requireFound(await heartbeats.acceptCall(deps, path.get("heartbeat") ?? ""), "hb"))),
    );

export const handler = takeCall(liveDeps());
