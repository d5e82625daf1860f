import type { Deps } from "../../core/deps.ts";
import { notFoundRefusal } from "../../core/domain/basics/refusal.ts";
import * as flow from "../../core/flow/read/shifts.ts";
import { liveDeps } from "../../core/live.ts";
import { createPipeline, replyText } from "../http/endpoint.ts";

/** Creates the handler of `GET /v1/calendars/<secret>.ics`, with which calendar programs, which cannot sign in, read shifts. */
export const readCalendar = (deps: Pick<Deps, "table" | "now" | "log">) =>
  createPipeline(deps).handler(async ({ path }) => {
    const text = await flow.readCalendar(deps, path.get("calendar") ?? "");
    if (text === undefined) throw notFoundRefusal("calendar");
    return replyText("text/calendar; charset=utf-8", text);
  });

export const handler = readCalendar(liveDeps());
