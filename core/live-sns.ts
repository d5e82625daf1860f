import type { FetchText } from "./sns/receive.ts";

const TIMEOUT_MS = 3_000;

/** Fetches the text at a URL of SNS. Refuses redirects, because a redirect could lead to any address. */
export const fetchSnsText: FetchText = async (url) => {
  const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`SNS answered ${answer.status}`);
  return answer.text();
};
