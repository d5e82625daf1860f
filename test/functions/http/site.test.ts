import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createSite, type SiteIndex } from "../../../functions/http/site.ts";

const script = Buffer.from("console.log(1)");
const stored: Record<string, Uint8Array> = {
  "assets/main.js.br": brotliCompressSync(script),
  "assets/main.js.gzip": gzipSync(script),
  "icon.png": Buffer.from([1, 2, 3]),
};
const index: SiteIndex = {
  shell: '<meta content="{{setting}}"><link href="{{texts}}"><style>a{}</style>',
  style: "abc=",
  texts: { en: "/assets/en.js", de: "/assets/de.js" },
  pages: { "/": [], "/events": ["/assets/events.js"], "/events/:id": ["/assets/event.js", "/assets/shared.js"] },
  files: {
    "/assets/main.js": {
      name: "assets/main.js",
      type: "text/javascript",
      immutable: true,
      etag: '"one"',
      encodings: ["br", "gzip"],
    },
    "/icon.png": { name: "icon.png", type: "image/png", immutable: false, etag: '"two"', encodings: ["identity"] },
  },
};
const serve = createSite(
  index,
  {
    origin: "https://a.example",
    signIn: "https://in.example",
    clientId: '"><script>',
    userPool: "https://pool.example/",
  },
  (name) => stored[name] ?? Buffer.from("none"),
);
const get = (path: string, headers: Record<string, string> = {}) => {
  const { body, isBase64Encoded, ...answer } = serve({ path, headers });
  return { ...answer, bytes: Buffer.from(body, isBase64Encoded ? "base64" : "utf8") };
};

describe("a page of the console over HTTP", () => {
  it("is the app shell with its settings, under a policy that lets no other script run", () => {
    const { statusCode, headers, bytes } = get("/events/evt_1");

    expect(statusCode).toBe(200);
    expect(bytes.toString()).toContain("&quot;clientId&quot;:&quot;\\&quot;&gt;&lt;script&gt;&quot;");
    expect(headers).toEqual({
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Strict-Transport-Security": "max-age=31536000",
      "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'sha256-abc='",
        "img-src 'self'",
        "connect-src 'self' https://in.example https://pool.example",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types worker",
      ].join("; "),
      "Cache-Control": "no-store",
      Vary: "Accept-Encoding, Accept-Language",
      Link: "</assets/event.js>; rel=modulepreload, </assets/shared.js>; rel=modulepreload",
    });
    expect(get("/").headers).not.toHaveProperty("Link");
  });

  it.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["fr-FR, DE;q=0.9", "de"],
    ["en-GB,de;q=0.5", "en"],
    ["fr,constructor", "en"],
    ["", "en"],
  ])('preloads the texts in the language $1 for the header Accept-Language "$0"', (accepted, language) => {
    const packed = get("/", { "accept-language": accepted, "accept-encoding": "gzip" });

    expect(get("/", { "accept-language": accepted }).bytes.toString()).toContain(`href="/assets/${language}.js"`);
    expect(gunzipSync(packed.bytes).toString()).toContain(`href="/assets/${language}.js"`);
  });

  it("is compressed for clients that accept it", () => {
    const packed = get("/", { "accept-encoding": "br;q=0, gzip" });

    expect(packed.headers["Content-Encoding"]).toBe("gzip");
    expect(gunzipSync(packed.bytes).toString()).toContain("<style>");
  });

  it("that does not exist is answered with the app shell and 404", () => {
    expect(get("/events/evt_1/more").statusCode).toBe(404);
    expect(get("/evets").bytes.toString()).toContain("<style>");
  });
});

describe("a file of the console over HTTP", () => {
  it("is sent in the best encoding that the client accepts, cacheable for ever", () => {
    const best = get("/assets/main.js", { "accept-encoding": "gzip, deflate, br" });

    expect(best.headers).toMatchObject({
      "Content-Encoding": "br",
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(best.bytes)).toEqual(script);
    expect(gunzipSync(get("/assets/main.js", { "accept-encoding": "gzip" }).bytes)).toEqual(script);
    expect(get("/assets/main.js").bytes).toEqual(script);
  });

  it("is not sent again to a client that has it", () => {
    const { statusCode, bytes } = get("/assets/main.js", { "if-none-match": '"one"' });

    expect([statusCode, bytes.length]).toEqual([304, 0]);
  });

  it("with a fixed URL is not cached", () => {
    const { statusCode, headers } = get("/icon.png", { "if-none-match": '"two"' });

    expect([statusCode, headers["Cache-Control"], headers["X-Content-Type-Options"]]).toEqual([
      200,
      "no-store",
      "nosniff",
    ]);
  });

  it.each([
    ["gzip", "gzip"],
    ["GZIP ; q=1", "gzip"],
    ["*", "br"],
    ["br; q=0.0 , gzip;q=0.5", "gzip"],
    ["br;q=0.1", "br"],
    ["deflate", "none"],
    ["", "none"],
  ])("for a request with the Accept-Encoding %j has the Content-Encoding %s", (accepted, encoding) => {
    const { headers, bytes } = get("/assets/main.js", { "accept-encoding": accepted });
    const unpacked = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;

    expect(headers["Content-Encoding"] ?? "none").toBe(encoding);
    expect(unpacked).toEqual(script);
    expect(headers["Content-Type"]).toBe("text/javascript");
  });

  it("that is not a page permits no styles, and has a Vary header only if the answer depends on Accept-Encoding", () => {
    expect(get("/icon.png", { "accept-encoding": "br" }).headers).not.toHaveProperty("Vary");
    expect(get("/icon.png").bytes).toEqual(Buffer.from([1, 2, 3]));
    expect(get("/icon.png").headers["Content-Security-Policy"]).toContain("; style-src 'none'; ");
  });

  it("of an earlier build is answered with 404 and not with a page", () => {
    const { statusCode, headers } = get("/assets/old.js");

    expect([statusCode, headers["Cache-Control"], headers["Content-Type"]]).toEqual([404, "no-store", "text/plain"]);
  });

  it("is not found if its name is that of a built-in property of objects, such as constructor", () => {
    expect(get("/constructor").statusCode).toBe(404);
  });
});

it("a path of the API is never answered with a console page", () => {
  for (const path of ["/v1/nothing", "/v1"])
    expect(get(path)).toMatchObject({ statusCode: 404, headers: { "Content-Type": "application/json" } });
  expect(get("/v1x").headers["Content-Type"]).toBe("text/html; charset=utf-8");
});

describe("the contact card for the service's phone calls", () => {
  const withPhone = createSite(
    index,
    {
      origin: "https://a.example",
      signIn: "https://in.example",
      clientId: "c",
      userPool: "https://pool.example/",
      phone: "+4930123456",
    },
    () => Buffer.from("none"),
  );

  it("has the phone number if the stage makes calls", () => {
    const { statusCode, headers, body } = withPhone({ path: "/contact.vcf", headers: {} });

    expect([statusCode, headers["Content-Type"]]).toEqual([200, "text/vcard; charset=utf-8"]);
    expect(body.split("\r\n")).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      "FN:Event Alerting",
      "N:Alerting;Event;;;",
      "TEL;TYPE=WORK,VOICE:+4930123456",
      "URL:https://a.example",
      "END:VCARD",
      "",
    ]);
  });

  it("does not exist in a stage without calls", () => {
    expect(get("/contact.vcf").statusCode).toBe(404);
  });
});
