import { processPress as take, type PressDeps } from "../../core/flow/respond/take-press.ts";
import { liveBaseUrl, liveDeps } from "../../core/live.ts";
import { liveSlack, liveSlackApps } from "../../core/live-slack.ts";
import { readRawBodyText } from "../http/body.ts";
import { createPipeline, replyOk } from "../http/endpoint.ts";

/** Creates the handler of Slack's requests after a button was pressed (`POST /v1/slack/presses`). Slack waits 3 s. */
export const takePress = (deps: PressDeps) =>
  createPipeline(deps).handler(async (request) => {
    await take(deps, {
      body: readRawBodyText(request),
      timestamp: request.headers.get("x-slack-request-timestamp") ?? "",
      signature: request.headers.get("x-slack-signature") ?? "",
    });
    return replyOk({ ok: true });
  });

export const handler = takePress({
  ...liveDeps("pushes", "webhooks"),
  baseUrl: liveBaseUrl(),
  slack: liveSlack(),
  slackApps: liveSlackApps(),
});
