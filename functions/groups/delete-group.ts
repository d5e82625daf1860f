import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { deletion } from "../http/deletion.ts";

export const deleteGroup = deletion("grp", "groupId", groups.deleteGroup);

export const handler = deleteGroup(liveDeps());
