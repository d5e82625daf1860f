import { ReceiptInput } from "../../core/domain/delivery/receipt.ts";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import * as flow from "../../core/flow/respond/take-receipt.ts";
import { liveDeps } from "../../core/live.ts";
import { liveReceiptKeys } from "../../core/live-push.ts";
import { readJson, readValue } from "../http/body.ts";
import { createPipeline, replyOk } from "../http/endpoint.ts";
import type { HttpRequest } from "../http/request.ts";

const readReceipt = (request: HttpRequest): ReceiptInput => readValue(ReceiptInput, readJson(request));

/** Creates the handler of `POST /v1/receipts`, a device's report on a push. All invalid receipts get the same answer. */
export const takeReceipt = (deps: flow.ReceiptDeps) =>
  createPipeline(deps).handler(async (request) => {
    try {
      return replyOk(await flow.processReceipt(deps, readReceipt(request)));
    } catch (error) {
      throw error instanceof Refusal && error.kind !== "busy" ? flow.refuseReceipt() : error;
    }
  });

export const handler = takeReceipt({ ...liveDeps("pushes", "webhooks"), receiptKeys: liveReceiptKeys() });
