import type { Deps } from "../../core/deps.ts";
import { toDelivery } from "../../core/domain/webhook/message.ts";
import { listMessages } from "../../core/store/webhook-lines.ts";
import { readWebhook } from "../../core/store/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { cursorPage, readCursor } from "../http/cursor.ts";
import { endpoint } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { readNotificationLimit } from "../http/query.ts";

export const listWebhookDeliveries = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "limit", "cursor"))
    .use(pathId("wh", "webhookId"))
    .handler(async (request) => {
      const { workspaceId: ws, webhookId: id } = request;
      found(await readWebhook(deps, ws, id), "wh");
      const list = `wh_${id}` as const;
      const limit = readNotificationLimit(request);
      const before = await readCursor(list, request);
      const messages = await listMessages(deps, { ws, id }, { before, limit: limit + 1 });
      const shown = messages.slice(0, limit);
      const next = messages.length > limit ? shown.at(-1)?.sk : undefined;
      return cursorPage(list, request, { items: shown.map(toDelivery) }, next);
    });

export const handler = listWebhookDeliveries(liveDeps());
