import { sha256 } from "../../core/domain/basics/digest.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

/*
 * Saves traffic for pages that request the same lists every few seconds. An answer without a version gets a tag computed from its
 * content. A request with that tag in `If-None-Match` is answered without a body.
 */

/** The length of a tag: enough that two contents of one URL never have the same tag. */
const TAG_CHARACTERS = 22;

/** Computes a weak tag, because compressed and uncompressed answers share it. */
const computeEtag = async ({ body }: GatewayAnswer): Promise<string> =>
  `W/"${Buffer.from(await sha256(body))
    .toString("base64url")
    .slice(0, TAG_CHARACTERS)}"`;

const removeWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, "");

const callerHasContent = ({ headers }: Pick<HttpRequest, "headers">, tag: string): boolean => {
  const written = headers.get("if-none-match");
  if (written === undefined) return false;
  return written.trim() === "*" || written.split(",").some((one) => removeWeakPrefix(one) === removeWeakPrefix(tag));
};

/** Returns an answer to GET with a tag, and without a body if the caller already has the content. */
export const replyNotModified = async (
  request: Pick<HttpRequest, "method" | "headers">,
  answer: GatewayAnswer,
): Promise<GatewayAnswer> => {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || answer.statusCode !== 200 || answer.headers["ETag"] !== undefined) return answer;
  const tag = await computeEtag(answer);
  const { "Content-Type": _type, ...kept } = answer.headers;
  if (callerHasContent(request, tag)) return { statusCode: 304, headers: { ...kept, ETag: tag }, body: "" };
  return { ...answer, headers: { ...answer.headers, ETag: tag } };
};
