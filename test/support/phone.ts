import { createReceiptSigner } from "../../conformance/signer.ts";
import type { ReceiptInput } from "../../core/domain/delivery/receipt.ts";

export const createReceiptKey = async () => {
  const { receiptKey, sign } = await createReceiptSigner();
  return {
    receiptKey,
    sign: (token: string, status: ReceiptInput["status"], at = Date.UTC(2026, 10, 21, 12)) => sign(token, status, at),
  };
};
