import { createHash, randomUUID, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { readText } from "../../../local/body.ts";
import { createCertificate } from "../../../local/fcm/certificate.ts";
import { listenLocally } from "../../../local/listen.ts";

/*
 * This server replaces Google's push service, so that Chromium can subscribe, decrypt and show messages without a network. The
 * browser checks in, requests a token per subscription, and receives messages over an open connection. Fields and tags are from
 * google_apis/gcm/protocol in Chromium; the browser's own messages are ignored.
 */

type Field = readonly [number: number, value: number | string | Buffer];

const encodeVarint = (value: number): Buffer =>
  value < 0x80
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value % 0x80) + 0x80), encodeVarint(Math.floor(value / 0x80))]);

const encodeFields = (fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [encodeVarint(number * 8), encodeVarint(value)];
      const bytes = Buffer.from(value);
      return [encodeVarint(number * 8 + 2), encodeVarint(bytes.length), bytes];
    }),
  );

const encodeFixed64 = (number: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return Buffer.concat([encodeVarint(number * 8 + 1), bytes]);
};

const MCS_VERSION = 41;
const PING = 0;
const PING_EVERY_MS = 50;
const LOGIN_RESPONSE = 3;
const DATA_MESSAGE = 8;

const encodePacket = (tag: number, fields: readonly Field[]): Buffer => {
  const body = encodeFields(fields);
  return Buffer.concat([Buffer.of(tag), encodeVarint(body.length), body]);
};

/** The id that a browser gets when it checks in. */
const ANDROID_ID = 1;
const SECURITY_TOKEN = 2;

const answerCheckIn = (response: ServerResponse): void => {
  const fields = encodeFields([
    [1, 1],
    [3, Date.now()],
  ]);
  response.end(Buffer.concat([fields, encodeFixed64(7, ANDROID_ID), encodeFixed64(8, SECURITY_TOKEN)]));
};

/** A subscription: `category` names the browser, `subtype` the page, and `sender` the key of the permitted sender. */
type App = { category: string; subtype: string; sender: string };

export const startPushService = async () => {
  const apps = new Map<string, App>();

  const register = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `AidLogin ${ANDROID_ID}:${SECURITY_TOKEN}`) {
      response.writeHead(401).end();
      return;
    }
    const form = new URLSearchParams(await readText(request));
    const token = `browser-${apps.size + 1}`;
    const [category = "", subtype = "", sender = ""] = ["app", "X-subtype", "sender"].map(
      (name) => form.get(name) ?? "",
    );
    apps.set(token, { category, subtype, sender });
    response.end(`token=${token}`);
  };
  const http = createServer((request, response) => {
    if (request.url === "/checkin") answerCheckIn(response);
    else register(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listenLocally(http, 0);

  /** Messages by id, until the browser says that it has received them, which may be after a reconnect. */
  const unconfirmed = new Map<string, Buffer>();
  let connection: TLSSocket | undefined;
  const { key, cert } = createCertificate(["localhost"]);
  const connections = createTlsServer({ key, cert }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (login) => {
      if (login.readUInt8(0) !== MCS_VERSION) {
        socket.destroy();
        return;
      }
      for (const id of unconfirmed.keys()) if (login.includes(id)) unconfirmed.delete(id);
      const accepted = encodePacket(LOGIN_RESPONSE, [
        [1, "login"],
        [8, Date.now()],
      ]);
      socket.write(Buffer.concat([Buffer.of(MCS_VERSION), accepted]));
      // The browser may miss a message right after the login's answer, so the server pings until the browser answers.
      const asking = setInterval(() => socket.write(encodePacket(PING, [])), PING_EVERY_MS);
      socket.once("close", () => clearInterval(asking));
      socket.once("data", () => {
        clearInterval(asking);
        socket.resume();
        for (const message of unconfirmed.values()) socket.write(message);
        connection = socket;
      });
    });
  });
  connections.listen(0, "127.0.0.1");
  await once(connections, "listening");
  const { port } = connections.address() as AddressInfo;
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });

  return {
    /** Chromium's arguments for a profile on disk and this push service. */
    args: [
      `--gcm-checkin-url=${url}/checkin`,
      `--gcm-registration-url=${url}/register`,
      `--gcm-mcs-endpoint=https://localhost:${port}`,
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`,
    ],
    deliver: (endpoint: string, encrypted: Buffer): void => {
      const app = apps.get(endpoint.slice(endpoint.lastIndexOf("/") + 1));
      if (app === undefined) throw new Error(`${endpoint} is no subscription of this browser`);
      const encodeAppData = (name: string, value: string): Field => [
        7,
        encodeFields([
          [1, name],
          [2, value],
        ]),
      ];
      const id = randomUUID();
      const message = encodePacket(DATA_MESSAGE, [
        [3, app.sender],
        [5, app.category],
        encodeAppData("subtype", app.subtype),
        encodeAppData("content-encoding", "aes128gcm"),
        [9, id],
        [21, encrypted],
      ]);
      unconfirmed.set(id, message);
      connection?.write(message);
    },
    close: async (): Promise<void> => {
      connection?.destroy();
      connections.close();
      await close();
    },
  };
};
