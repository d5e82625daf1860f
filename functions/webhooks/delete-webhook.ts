import { deleteWebhook as remove } from "../../core/flow/admin/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { deletion } from "../http/deletion.ts";

export const deleteWebhook = deletion("wh", "webhookId", remove);

export const handler = deleteWebhook(liveDeps());
