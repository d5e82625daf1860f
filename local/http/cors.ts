import type { IncomingMessage } from "node:http";
import type { ApiModel } from "../template/model.ts";
import type { Answer } from "./event.ts";

type Cors = ApiModel["cors"];

/** Returns the value of `access-control-allow-origin`, or undefined if the request's origin is not allowed. */
const findAllowedOrigin = (cors: Cors, { headers }: IncomingMessage): string | undefined => {
  const { origin } = headers;
  if (cors === undefined || origin === undefined) return undefined;
  if (cors.AllowOrigins.includes("*")) return "*";
  return cors.AllowOrigins.includes(origin) ? origin : undefined;
};

/** Returns the headers of an answer to the request; none if the request's origin is not allowed. */
export const createCorsHeaders = (cors: Cors, request: IncomingMessage): Record<string, string> => {
  const origin = findAllowedOrigin(cors, request);
  if (cors === undefined || origin === undefined) return {};
  const exposed =
    cors.ExposeHeaders.length === 0 ? {} : { "access-control-expose-headers": cors.ExposeHeaders.join(",") };
  return { "access-control-allow-origin": origin, ...exposed, vary: "Origin" };
};

/** Answers a CORS preflight request. Returns undefined for other requests. */
export const answerPreflight = (cors: Cors, request: IncomingMessage): Answer | undefined => {
  if (cors === undefined || request.method !== "OPTIONS" || request.headers.origin === undefined) return undefined;
  const granted =
    findAllowedOrigin(cors, request) === undefined
      ? {}
      : {
          "access-control-allow-methods": cors.AllowMethods.join(","),
          "access-control-allow-headers": cors.AllowHeaders.join(","),
          ...(cors.MaxAge === undefined ? {} : { "access-control-max-age": String(cors.MaxAge) }),
        };
  return { status: 204, headers: granted, body: Buffer.alloc(0) };
};
