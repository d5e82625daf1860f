import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { asDora, callApi } from "./person.ts";

test("Sentry is connected with its client secret, and unsigned messages are refused", async () => {
  const secret = "5f".repeat(32);
  const message = JSON.stringify({
    action: "created",
    data: { issue: { id: "1", title: "TypeError", level: "error" } },
  });
  const dora = await asDora({ at: "/sources?tool=sentry" });
  const { page } = dora;
  await dora.fill("Client secret", "short");
  await dora.pressNamed("Create");
  await page.getByRole("alert").getByText("Client secret: must be the tool").waitFor();
  await dora.fill("Client secret", secret);
  await dora.pressNamed("Create");

  const address = (await page.getByRole("region", { name: "URL" }).textContent()) ?? "";
  const send = (headers: Record<string, string>) => fetch(address.trim(), { method: "POST", body: message, headers });
  expect((await send({})).status).toBe(401);
  const signature = createHmac("sha256", secret).update(message).digest("hex");
  expect((await send({ "sentry-hook-signature": signature })).status).toBe(201);
  await page.getByRole("status").getByText("Receiving events").waitFor();
  const keys = await callApi<{ id: string; source?: string }[]>("Demo", "GET", "/api-keys");
  for (const { id, source } of keys) if (source === "sentry") await callApi("Demo", "DELETE", `/api-keys/${id}`);
});
