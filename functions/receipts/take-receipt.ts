import { ReceiptInput } from "../../core/domain/delivery/receipt.ts";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import * as flow from "../../core/flow/admin/take-receipt.ts";
import { liveDeps } from "../../core/live.ts";
import { liveReceiptKeys } from "../../core/live-push.ts";
import { readJson, readValue } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import type { HttpRequest } from "../http/request.ts";

const readReceipt = (request: HttpRequest): ReceiptInput => readValue(ReceiptInput, readJson(request));

/**
 * `POST /v1/receipts`: a device tells that a push was shown, tapped or acknowledged. There is one answer to everything that
 * is not taken, whatever is wrong with it; only that the service is busy or has failed is told.
 */
export const takeReceipt = (deps: flow.ReceiptDeps) =>
  endpoint(deps).handler(async (request) => {
    try {
      return ok(await flow.takeReceipt(deps, readReceipt(request)));
    } catch (error) {
      throw error instanceof Refusal && error.kind !== "busy" ? flow.badReceipt() : error;
    }
  });

export const handler = takeReceipt({ ...liveDeps("pushes"), receiptKeys: liveReceiptKeys() });
