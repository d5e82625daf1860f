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
  shell: '<meta content="{{setting}}"><style>a{}</style>',
  style: "abc=",
  pages: ["/", "/events", "/events/:id"],
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
  { origin: "https://a.example", signIn: "https://in.example", clientId: '"><script>' },
  (name) => stored[name] ?? Buffer.from("none"),
);
const get = (path: string, headers: Record<string, string> = {}) => {
  const { body, isBase64Encoded, ...answer } = serve({ path, headers });
  return { ...answer, bytes: Buffer.from(body, isBase64Encoded ? "base64" : "utf8") };
};

describe("a page", () => {
  it("is the shell, told where it runs, under a policy that lets nothing else run", () => {
    const { statusCode, headers, bytes } = get("/events/evt_1");

    expect(statusCode).toBe(200);
    expect(bytes.toString()).toContain("&quot;clientId&quot;:&quot;\\&quot;>&lt;script>&quot;");
    const policy = headers["Content-Security-Policy"] ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'sha256-abc='");
    expect(policy).toContain("connect-src 'self' https://in.example");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers["Cache-Control"]).toBe("no-cache");
  });

  it("is compressed for who takes that, and not sent again to who has it", () => {
    const packed = get("/", { "accept-encoding": "br;q=0, gzip" });
    const again = get("/", { "if-none-match": packed.headers["ETag"] ?? "" });

    expect(packed.headers["Content-Encoding"]).toBe("gzip");
    expect(gunzipSync(packed.bytes).toString()).toContain("<style>");
    expect([again.statusCode, again.bytes.length]).toEqual([304, 0]);
  });

  it("that there is not is the shell, too, with 404", () => {
    expect(get("/events/evt_1/more").statusCode).toBe(404);
    expect(get("/evets").bytes.toString()).toContain("<style>");
  });
});

describe("a file", () => {
  it("comes in the best form that the reader takes, to be kept for good", () => {
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

  it("whose address stays is asked for again, and answered 304 while it is the same", () => {
    expect(get("/icon.png").headers["Cache-Control"]).toBe("no-cache");
    expect(get("/icon.png", { "if-none-match": '"two"' }).statusCode).toBe(304);
  });

  it("of an earlier build is missing, and is not taken for a page", () => {
    const { statusCode, headers } = get("/assets/old.js");

    expect([statusCode, headers["Cache-Control"], headers["Content-Type"]]).toEqual([404, "no-store", "text/plain"]);
  });

  it("named like a part of every object is none", () => {
    expect(get("/constructor").statusCode).toBe(404);
  });
});

it("the API's addresses are never a page", () => {
  expect(get("/v1/nothing")).toMatchObject({ statusCode: 404, headers: { "Content-Type": "application/json" } });
});
