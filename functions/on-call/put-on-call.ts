import type { Deps } from "../../core/deps.ts";
import { OnCallSchedule } from "../../core/domain/on-call/index.ts";
import { findOnCall, putSchedule } from "../../core/flow/admin/write-on-call.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const putOnCall = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      const before = await findOnCall(deps, workspaceId, groupId);
      const schedule = readChange(request, OnCallSchedule, before ?? {}, { derived: ["gaps", "warnings"] });
      const written = await putSchedule(
        asCaller(deps, request),
        workspaceId,
        groupId,
        schedule,
        expectedVersions(request),
      );
      return tagged(ok(await withAuthor(deps, workspaceId, written)), written);
    });

export const handler = putOnCall(liveDeps());
