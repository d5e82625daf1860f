import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildMessage, type WebPushMessage } from "../../../../core/domain/delivery/push/message.ts";
import { createWebPushChannel } from "../../../../core/push/web/web-push.ts";
import { listenLocally, type Listener } from "../../../../local/listen.ts";
import { createPushInput } from "../../../support/push-input.ts";
import { toEarlyDevices } from "../../../support/push.ts";
import { createBrowser, vapidKeys } from "../../../support/web-push.ts";

let strange: Listener;
let answer: (response: ServerResponse, request: IncomingMessage) => void;
beforeAll(async () => {
  strange = await listenLocally(
    createServer((request, response) => {
      request.resume();
      answer(response, request);
    }),
    0,
  );
});
afterAll(() => strange.close());

const send = async () => {
  const prefix = `${strange.url}/push/`;
  const push = createWebPushChannel({
    getKeys: async () => ({ value: { current: vapidKeys, previous: undefined, madeAt: 0 }, atMs: Date.now() }),
    now: Date.now,
    standIn: { prefix, takesAll: false },
  });
  const message = buildMessage(createPushInput({ platform: "web", to: createBrowser(`${prefix}1`) })) as WebPushMessage;
  return toEarlyDevices(push).send(message);
};

it.each([
  ["within the first 4,096 bytes counts", 4096, "auth"],
  ["after the first 4,096 bytes does not count", 4097, "invalid"],
])(
  "only the first bytes of a push service's answer are searched for an error code: a code %s",
  async (_, bytes, kind) => {
    answer = (response) => response.writeHead(400).end("BadJwtToken".padStart(bytes));

    expect(await send()).toMatchObject({ kind, code: "HTTP_400" });
  },
);

it("a push service's answer counts by its status, even if its body breaks off", async () => {
  answer = (response) => {
    response.writeHead(201, { location: "/m/1", "content-length": "100" }).write("half");
    setImmediate(() => response.destroy());
  };

  expect(await send()).toEqual({ kind: "accepted", messageId: "/m/1" });
});

it("a redirect of a push service is not followed", async () => {
  let followed = 0;
  answer = (response, { url }) => {
    if (url === "/elsewhere") followed += 1;
    response.writeHead(307, { location: "/elsewhere" }).end();
  };

  expect(await send()).toEqual({ kind: "invalid", code: "HTTP_307" });
  expect(followed).toBe(0);
});
