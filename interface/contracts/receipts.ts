import { ReceiptInput } from "../../core/domain/delivery/receipt.ts";
import { tableActions } from "../access.ts";
import { type Operations } from "../contract.ts";

export const takeReceipt = {
  takeReceipt: {
    method: "POST",
    path: "/v1/receipts",
    auth: "receipt",
    summary: "Confirm or acknowledge a push without a session",
    description:
      "`token` is the `receipt` of the push's data; `signature` is ECDSA (P-256, SHA-256, r and s as 64 bytes in base64url) " +
      "by the device's `receiptKey` over `token`, `status` and `at`, joined by line feeds. The token of an email is in the fragment of its link and needs no signature. A repeated request gets the same answer. All refusals get the same answer.",
    body: ReceiptInput,
    answers: { 200: { shape: "ReceiptAnswer", description: "The state of the notification." } },
    access: {
      table: tableActions,
      keys: [
        "workspace",
        "people",
        "devices",
        "packs",
        "events",
        "planParts",
        "escalations",
        "firings",
        "grouped",
        "openEvents",
        "markers",
        "probes",
      ],
      sendsTo: ["pushes", "webhooks"],
      readsSecrets: ["receipts"],
    },
  },
} as const satisfies Operations;
