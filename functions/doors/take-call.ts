import type { Deps } from "../../core/deps.ts";
import { toCallAnswer } from "../../core/domain/heartbeat/heartbeat.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/rules/heartbeats.ts";
import { requireFound } from "../http/require-found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { slashAtEnd } from "../http/trailing-slash.ts";

/** `GET`, `HEAD` or `POST /v1/heartbeats/<secret>` with any body: accepts the call of a heartbeat. */
export const takeCall = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(slashAtEnd(""))
    .handler(async ({ path }) =>
      ok(toCallAnswer(requireFound(await heartbeats.acceptCall(deps, path.get("heartbeat") ?? ""), "hb"))),
    );

export const handler = takeCall(liveDeps());
