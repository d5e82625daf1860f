import { sha256 } from "../../core/domain/basics/digest.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

/*
 * Pages request the same lists every few seconds. An answer without a version gets a tag from its content, and a
 * request with that tag in `If-None-Match` is answered without a body.
 */

/** Enough that two contents of one address never share a tag. */
const TAG_CHARACTERS = 22;

/** Weak: a compressed answer has the same one. */
const tagOf = async ({ body }: GatewayAnswer): Promise<string> =>
  `W/"${Buffer.from(await sha256(body))
    .toString("base64url")
    .slice(0, TAG_CHARACTERS)}"`;

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether the caller has the content already. */
const isKnown = ({ headers }: Pick<HttpRequest, "headers">, tag: string): boolean => {
  const written = headers.get("if-none-match");
  if (written === undefined) return false;
  return written.trim() === "*" || written.split(",").some((one) => opaque(one) === opaque(tag));
};

/** An answer to GET as its caller needs it: with a tag, and without a body where nothing has changed. */
export const unlessKnown = async (
  request: Pick<HttpRequest, "method" | "headers">,
  answer: GatewayAnswer,
): Promise<GatewayAnswer> => {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || answer.statusCode !== 200 || answer.headers["ETag"] !== undefined) return answer;
  const tag = await tagOf(answer);
  const { "Content-Type": _type, ...kept } = answer.headers;
  if (isKnown(request, tag)) return { statusCode: 304, headers: { ...kept, ETag: tag }, body: "" };
  return { ...answer, headers: { ...answer.headers, ETag: tag } };
};
