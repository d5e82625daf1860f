import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { ApiDocument, apiPage } from "./api-page.ts";

const file = new URL("../../docs/openapi.json", import.meta.url);

/**
 * Serves the description of the API beside the API itself: `/openapi.json`, and `/docs` to read. Says whether it
 * answered; everything else is the gateway's.
 */
export const serveDocuments = ({ method, url }: IncomingMessage, response: ServerResponse): boolean => {
  if (method !== "GET" || (url !== "/openapi.json" && url !== "/docs")) return false;
  const text = readFileSync(file, "utf8");
  if (url === "/openapi.json") {
    response.writeHead(200, { "Content-Type": "application/json" }).end(text);
    return true;
  }
  const page = apiPage(v.parse(ApiDocument, JSON.parse(text)));
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
  return true;
};
