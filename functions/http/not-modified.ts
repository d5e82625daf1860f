import { sha256 } from "../../core/domain/basics/digest.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

/*
 * Saves traffic for pages that request the same lists every few seconds. Answers without an ETag get an ETag computed from their
 * content. If the request's `If-None-Match` has the same ETag, the answer has no body.
 */

/** The length of a tag: so long that two contents of a URL never have the same tag. */
const TAG_CHARACTERS = 22;

/** Returns a weak tag, because compressed and uncompressed answers share the tag. */
const computeEtag = async ({ body }: GatewayAnswer): Promise<string> =>
  `W/"${Buffer.from(await sha256(body))
    .toString("base64url")
    .slice(0, TAG_CHARACTERS)}"`;

const removeWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Returns whether the header `If-None-Match` is `*` or contains the tag, with or without the prefix of a weak tag. */
const matchesIfNoneMatch = ({ headers }: Pick<HttpRequest, "headers">, tag: string): boolean => {
  const written = headers.get("if-none-match");
  if (written === undefined) return false;
  return written.trim() === "*" || written.split(",").some((one) => removeWeakPrefix(one) === removeWeakPrefix(tag));
};

/** Adds the tag to an answer to GET. If the caller already has the content, answers without a body. */
export const replyNotModified = async (
  request: Pick<HttpRequest, "method" | "headers">,
  answer: GatewayAnswer,
): Promise<GatewayAnswer> => {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || answer.statusCode !== 200 || answer.headers["ETag"] !== undefined) return answer;
  const tag = await computeEtag(answer);
  const { "Content-Type": _type, ...kept } = answer.headers;
  if (matchesIfNoneMatch(request, tag)) return { statusCode: 304, headers: { ...kept, ETag: tag }, body: "" };
  return { ...answer, headers: { ...answer.headers, ETag: tag } };
};
