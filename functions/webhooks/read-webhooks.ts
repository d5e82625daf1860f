import { liveDeps } from "../../core/live.ts";
import { byRoute } from "../http/by-route.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { getWebhook } from "./get-webhook.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";

const deps = liveDeps();

export const handler = byRoute({
  "webhooks/list-webhooks": listWebhooks(deps),
  "webhooks/get-webhook": getWebhook(deps),
  "webhooks/list-webhook-deliveries": listWebhookDeliveries(deps),
});
