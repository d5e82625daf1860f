import { loadInboxTexts } from "./app/catalogues.ts";
import type { Failure } from "./app/failure.ts";

/** Texts that the inbox needs. */
export const texts = await loadInboxTexts();

export const explainFailure = (failure: Failure): string => {
  if (failure.kind === "offline") return texts.failures.offline;
  if (failure.kind === "signed-out") return texts.failures.signedOut;
  const { status, code, message, requestId, retryAfter } = failure;
  if (status >= 500) return texts.failures.ours(requestId);
  if (status === 429) return texts.failures.tooFast(retryAfter);
  if (status === 404) return texts.failures.notFound;
  if (code === "not_a_member") return texts.failures.notAMember;
  if (code === "changed_meanwhile") return texts.failures.changedMeanwhile;
  return message === "" ? texts.failures.ours(requestId) : message;
};
