import { liveDeps } from "../../core/live.ts";
import { byRoute } from "../http/by-route.ts";
import { listGroups } from "./list-groups.ts";
import { getGroup } from "./get-group.ts";
import { listGroupMembers } from "./list-group-members.ts";

const deps = liveDeps();

export const handler = byRoute({
  "groups/list-groups": listGroups(deps),
  "groups/get-group": getGroup(deps),
  "groups/list-group-members": listGroupMembers(deps),
});
