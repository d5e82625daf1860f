import { liveDeps } from "../../core/live.ts";
import * as webhooks from "../../core/store/webhooks.ts";
import { deletion } from "../http/deletion.ts";

export const deleteWebhook = deletion("wh", "webhookId", webhooks.deleteWebhook);

export const handler = deleteWebhook(liveDeps());
