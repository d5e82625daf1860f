import type { Deps } from "../../core/deps.ts";
import { renewAddress } from "../../core/flow/read/shifts.ts";
import { liveDeps } from "../../core/live.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { baseUrlOf } from "../http/request.ts";

export const renewMyCalendar = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async (request) => {
      const { workspaceId, caller } = request;
      return created(
        await renewAddress(
          asCaller(deps, request),
          workspaceId,
          { kind: "user", id: caller.userId },
          baseUrlOf(request),
        ),
      );
    });

export const handler = renewMyCalendar(liveDeps());
