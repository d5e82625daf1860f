import { liveDeps } from "../../core/live.ts";
import { byRoute } from "../http/by-route.ts";
import { getOnCall } from "./get-on-call.ts";
import { getOnCallNow } from "./get-on-call-now.ts";
import { listOnCallNow } from "./list-on-call-now.ts";
import { listMyShifts } from "./list-my-shifts.ts";

const deps = liveDeps();

export const handler = byRoute({
  "on-call/get-on-call": getOnCall(deps),
  "on-call/get-on-call-now": getOnCallNow(deps),
  "on-call/list-on-call-now": listOnCallNow(deps),
  "on-call/list-my-shifts": listMyShifts(deps),
});
