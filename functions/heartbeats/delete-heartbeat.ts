import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { deletion } from "../http/deletion.ts";

export const deleteHeartbeat = deletion("hb", "heartbeatId", heartbeats.deleteHeartbeat);

export const handler = deleteHeartbeat(liveDeps());
