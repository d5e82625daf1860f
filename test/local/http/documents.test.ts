import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { serveDocuments } from "../../../local/http/documents.ts";
import { routes } from "../../../lib/routes.ts";

const get = (url: string, method = "GET") => {
  const answer = { status: 0, type: "", text: "" };
  const response = {
    writeHead: (status: number, headers: Record<string, string>) => {
      Object.assign(answer, { status, type: headers["Content-Type"] });
      return response;
    },
    end: (text: string) => Object.assign(answer, { text }),
  };
  const served = serveDocuments({ method, url } as IncomingMessage, response as unknown as ServerResponse);
  return { served, ...answer };
};

it("the OpenAPI document is served as it is", () => {
  const { type, text } = get("/openapi.json");

  expect(type).toBe("application/json");
  expect(text).toBe(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));
});

it("the page to read shows every endpoint, and escapes what it shows", () => {
  const { status, type, text } = get("/docs");

  expect([status, type]).toEqual([200, "text/html; charset=utf-8"]);
  for (const { entry } of routes) expect(text).toContain(`id="${entry.split("/")[1]}"`);
  expect(text).toContain("eak_&lt;workspace>");
});

it("anything else is left to the gateway", () => {
  expect(get("/v1/events").served).toBe(false);
  expect(get("/openapi.json", "POST").served).toBe(false);
});
