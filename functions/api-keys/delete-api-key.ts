import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { deletion } from "../http/deletion.ts";

export const deleteApiKey = deletion("key", "id", apiKeys.deleteApiKey);

export const handler = deleteApiKey(liveDeps());
