import { liveDeps } from "../../core/live.ts";
import * as connections from "../../core/store/connections.ts";
import { deletion } from "../http/deletion.ts";

export const deleteConnection = deletion("con", "connectionId", connections.deleteConnection);

export const handler = deleteConnection(liveDeps());
