import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as everyKey from "../../core/store/keys.ts";
import { env } from "../../core/wiring.ts";
import { routes } from "../../interface/routes.ts";
import { grants, renderGrantsPage, type Grant } from "../../scripts/docs/grants.ts";

const root = join(import.meta.dirname, "../..");
const listNamed = (part: "keys" | "routes" | "secrets" | "makers") =>
  grants.flatMap((grant: Grant) => grant[part]?.split(" ") ?? []).sort();

const sources = readdirSync(join(root, "core"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(join(root, "core", file), "utf8") }));

describe("docs/grants.md", () => {
  it("is the page that npm run docs:grants writes", () => {
    const normalizeTable = (page: string) => page.replaceAll(/ {2,}/g, " ").replaceAll(/-{3,}/g, "---");
    expect(normalizeTable(readFileSync(join(root, "docs/grants.md"), "utf8"))).toBe(normalizeTable(renderGrantsPage()));
  });

  it("lists each kind of key once, with its creator and its end", () => {
    const reads = /^(?:parse[A-Z]|is[A-Z]|dayOf)/;
    const builders = Object.keys(everyKey).filter((name) => /(?:Key|Pks?)$/.test(name) && !reads.test(name));
    expect(listNamed("keys")).toEqual(builders.sort());
  });

  it("names once each function whose route needs no session", () => {
    const open = new Set(routes.filter(({ auth }) => auth !== "session").map(({ entry }) => entry));
    expect(listNamed("routes")).toEqual([...open].sort());
  });

  it("lists each secret of a stage once", () => {
    expect(listNamed("secrets")).toEqual(
      Object.keys(env)
        .filter((name) => name.endsWith("Secret"))
        .sort(),
    );
  });

  it("lists, once each, the places that create a token or a secret", () => {
    const makes =
      /^export const ((?:new|mint)\w*(?:Text|Secret|Token|Receipt)|create\w+(?:KeyText|Secret|Token)|deriveCurrentSecret|deriveCode|computeReplyDigit) =/gm;
    const makers = sources.flatMap(({ text }) => [...text.matchAll(makes)].map(([, name = ""]) => name));
    expect(listNamed("makers")).toEqual([...new Set(makers)].sort());
  });

  it("covers every file of core/ that signs anything", () => {
    const signs = /hmac\.ts"|subtle\.sign|createHmac|createSign(?!edHeaders)/;
    const files = sources.filter(({ text }) => signs.test(text)).map(({ file }) => file);
    expect(files.sort()).toEqual([
      "domain/basics/hmac.ts",
      "domain/connection/slack-request.ts",
      "domain/delivery/receipt.ts",
      "domain/webhook/signature.ts",
      "push/mail/mail.ts",
      "push/sign.ts",
      "push/signed-request.ts",
      "push/sms/sms.ts",
      "push/voice/voice.ts",
    ]);
  });
});
