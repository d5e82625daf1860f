import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { serve } from "../support/serve.ts";

/** Starts a stand-in for GitHub that has one pull request with `count` comments, and requires a token. */
export const startGithub = async (count = 0) => {
  const comments = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    body: `talk ${index + 1}`,
    user: { login: "somebody" },
  }));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://github");
    const text = await textOf(request);
    const body = text === "" ? "" : (JSON.parse(text) as { body: string }).body;
    const from = (Number(searchParams.get("page")) - 1) * 100;
    if (request.headers.authorization !== "Bearer ghs_1") response.writeHead(403).end('{"message":"no"}');
    else if (pathname === "/graphql")
      response.end(JSON.stringify({ data: { viewer: { login: "github-actions[bot]" } } }));
    else if (request.method === "GET") response.end(JSON.stringify(comments.slice(from, from + 100)));
    else if (request.method === "POST") {
      comments.push({ id: comments.length + 1, body, user: { login: "github-actions[bot]" } });
      response.writeHead(201).end("{}");
    } else {
      comments.find(({ id }) => pathname === `/repos/acme/alerts/issues/comments/${id}`)!.body = body;
      response.end("{}");
    }
  };
  const { endpoint: api, requests } = await serve((request, response) => void answer(request, response));
  const on = { api, graphql: `${api}/graphql`, token: "ghs_1", repository: "acme/alerts", number: 7 };
  return { api, comments, on, asked: () => requests.map(({ method, url }) => `${method} ${url}`) };
};
