import { afterAll } from "vitest";
import type { Method } from "../../interface/contract.ts";
import { startApp } from "../world/app.ts";
import { alice, fillWorkspace } from "./people.ts";
import { serve } from "../world/serve.ts";

/** Starts the API with a workspace that has one item of each kind. The workspace's owner makes the requests. */
export const startFilled = async (options?: Parameters<typeof startApp>[0]) => {
  const app = await startApp(options);
  afterAll(app.close);
  const mine = await fillWorkspace(app, alice);
  const root = `/v1/workspaces/${mine.workspaceId}`;
  const ask = <Body = unknown>(method: Method, path: string, body?: object, as = alice) =>
    app.ask<Body>(`${root}${path}`, { method, as, ...(body === undefined ? {} : { body }) });
  return {
    app,
    mine,
    ask,
    get: async <Body = unknown>(path: string) => (await ask<Body>("GET", path)).body,
    send: async (body: object) =>
      (await app.ask<{ eventId: string }>("/v1/events", { method: "POST", apiKey: mine.key, body })).body.eventId,
  };
};

export const startServedApp = async () => {
  const app = await startApp();
  const served = await serve(app);
  afterAll(async () => {
    await served.close();
    await app.close();
  });
  return { app, served };
};
