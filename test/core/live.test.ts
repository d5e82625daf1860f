import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestHandler } from "../../core/live.ts";

let asked = 0;
/** The server answers the second request and later requests, so that the first request meets a dead socket. */
const server = createServer((_request, response) => {
  asked += 1;
  if (asked > 1) response.end("{}");
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("an AWS client of a function", () => {
  it("sends a request again on another connection if the first connection died silently", async () => {
    const { port } = server.address() as AddressInfo;
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: "local",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      requestHandler: { ...requestHandler, requestTimeout: requestHandler.requestTimeout / 30 },
    });

    await client.send(new ListTablesCommand({}));

    expect(asked).toBe(2);
    // Three attempts and their pauses end well before the shortest timeout of a worker.
    expect(3 * (requestHandler.connectionTimeout + requestHandler.requestTimeout)).toBeLessThan(20_000);
  }, 10_000);
});
