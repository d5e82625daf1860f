import { gunzipSync, gzipSync } from "node:zlib";
import * as v from "valibot";
import { parsePreferredLanguages } from "../../core/domain/basics/language.ts";
import { escapeMarkup } from "../../core/domain/basics/markup.ts";

const File = v.object({
  name: v.string(),
  type: v.string(),
  /** Whether the file's URL changes with its content. */
  immutable: v.boolean(),
  etag: v.string(),
  /** The SHA-256 of the file's only style element, in base64. */
  style: v.optional(v.string()),
  encodings: v.array(v.picklist(["br", "gzip", "identity"])),
});

/** The content of `site.json` from the console's build. */
export const SiteIndex = v.object({
  shell: v.string(),
  style: v.string(),
  /** Maps a language to the URL of the texts that every page needs first. */
  texts: v.objectWithRest({ en: v.string() }, v.string()),
  /** The scripts that a page needs besides the shell's, by the page's path (with `:name` for a variable part). */
  pages: v.record(v.string(), v.array(v.string())),
  files: v.record(v.string(), File),
});
export type SiteIndex = v.InferOutput<typeof SiteIndex>;

export type SiteSetting = {
  origin: string;
  signIn: string;
  clientId: string;
  userPool: string;
  provider?: string;
  phone?: string;
};

export type SiteRequest = { path: string; headers: Readonly<Record<string, string>> };
export type SiteAnswer = {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
};

export const SiteEvent = v.object({ rawPath: v.string(), headers: v.optional(v.record(v.string(), v.string()), {}) });

const YEAR_SECONDS = 31_536_000;

/** Returns a policy that allows only the console's scripts and requests to the API and the user pool, and forbids framing. */
const buildContentSecurityPolicy = (
  { signIn, userPool }: Pick<SiteSetting, "signIn" | "userPool">,
  style: string | undefined,
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style === undefined ? "'none'" : `'sha256-${style}'`}`,
    "img-src 'self'",
    `connect-src 'self' ${[...new Set([signIn, userPool].map((address) => new URL(address).origin))].join(" ")}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // The only text that may become a script is the URL of the console's worker.
    "require-trusted-types-for 'script'",
    "trusted-types worker",
  ].join("; ");

const safety = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Strict-Transport-Security": `max-age=${YEAR_SECONDS}`,
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
};

const splitPath = (path: string): string[] => path.split("/").slice(1);

/** Returns the scripts that a page needs besides those of the shell; undefined if the path is not a page. */
const findPageScripts = (pages: SiteIndex["pages"], path: string): string[] | undefined => {
  const asked = splitPath(path);
  const [, scripts] =
    Object.entries(pages).find(([page]) => {
      const segments = splitPath(page);
      return (
        segments.length === asked.length &&
        segments.every((segment, index) => segment.startsWith(":") || segment === asked[index])
      );
    }) ?? [];
  return scripts;
};

/** Returns the first encoding that is `identity` or that `Accept-Encoding` (`accepted`) names; undefined if there is none. */
const findAcceptedEncoding = (accepted: string, encodings: readonly string[]): string | undefined => {
  const named = accepted.split(",").flatMap((part) => {
    const [name = "", ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return encodings.find((encoding) => encoding === "identity" || named.includes(encoding) || named.includes("*"));
};

const createTextAnswer = (statusCode: number, headers: Record<string, string>, body: string): SiteAnswer => ({
  statusCode,
  headers: { ...safety, "Cache-Control": "no-store", ...headers },
  body,
  isBase64Encoded: false,
});

/** Returns a function that answers with the shell, the document of every page. The status is 404 if the page does not exist. */
const createShell = (index: SiteIndex, setting: SiteSetting) => {
  const written = index.shell
    .replace("{{setting}}", () => escapeMarkup(JSON.stringify(setting)))
    .replace("{{signIn}}", () => escapeMarkup(new URL(setting.signIn).origin));
  // Preloads the texts that the page probably needs, because the script that selects them runs later.
  const renderShellWithTexts = (texts: string) => {
    const shell = written.replace("{{texts}}", () => texts);
    return { shell, packed: gzipSync(shell).toString("base64") };
  };
  const english = renderShellWithTexts(index.texts.en);
  const shells = new Map(
    Object.entries(index.texts).map(([language, texts]) => [language, renderShellWithTexts(texts)]),
  );
  const policy = buildContentSecurityPolicy(setting, index.style);

  return ({ path, headers }: SiteRequest): SiteAnswer => {
    const scripts = findPageScripts(index.pages, path);
    const isPacked = findAcceptedEncoding(headers["accept-encoding"] ?? "", ["gzip"]) === "gzip";
    const language = parsePreferredLanguages(headers["accept-language"] ?? "").find((one) => shells.has(one)) ?? "en";
    const { shell, packed } = shells.get(language) ?? english;
    return {
      statusCode: scripts === undefined ? 404 : 200,
      headers: {
        ...safety,
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        Vary: "Accept-Encoding, Accept-Language",
        // Without the header Link, the browser would request a page's scripts only when the main script runs.
        ...(scripts?.length ? { Link: scripts.map((url) => `<${url}>; rel=modulepreload`).join(", ") } : {}),
        ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
      },
      body: isPacked ? packed : shell,
      isBase64Encoded: isPacked,
    };
  };
};

const answerFile = (
  { name, type, immutable, etag, style, encodings }: SiteIndex["files"][string],
  headers: SiteRequest["headers"],
  setting: SiteSetting,
  read: (name: string) => Uint8Array,
): SiteAnswer => {
  const kept = immutable ? { "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`, ETag: etag } : undefined;
  if (kept !== undefined && headers["if-none-match"] === etag) return createTextAnswer(304, kept, "");
  const encoding = findAcceptedEncoding(headers["accept-encoding"] ?? "", encodings);
  const bytes = read(encoding === "identity" ? name : `${name}.${encoding ?? "gzip"}`);
  return {
    statusCode: 200,
    headers: {
      ...safety,
      "Content-Type": type,
      "Content-Security-Policy": buildContentSecurityPolicy(setting, style),
      "Cache-Control": "no-store",
      ...kept,
      ...(encodings.includes("identity") ? {} : { Vary: "Accept-Encoding" }),
      ...(encoding === undefined || encoding === "identity" ? {} : { "Content-Encoding": encoding }),
    },
    body: Buffer.from(encoding === undefined ? gunzipSync(bytes) : bytes).toString("base64"),
    isBase64Encoded: true,
  };
};

/** Returns a contact card with the service's number, so that a phone can allow the service's calls at night. */
const renderContactCard = (phone: string, origin: string): string =>
  [
    "BEGIN:VCARD",
    "VERSION:3.0",
    "FN:Event Alerting",
    "N:Alerting;Event;;;",
    `TEL;TYPE=WORK,VOICE:${phone}`,
    `URL:${origin}`,
    "END:VCARD",
    "",
  ].join("\r\n");

/** Returns a function that serves the console; unknown paths get the shell with status 404. `read`: reads a file of the build. */
export const createSite = (index: SiteIndex, setting: SiteSetting, read: (name: string) => Uint8Array) => {
  const answerShell = createShell(index, setting);
  return (request: SiteRequest): SiteAnswer => {
    const { path, headers } = request;
    if (path === "/v1" || path.startsWith("/v1/"))
      return createTextAnswer(404, { "Content-Type": "application/json" }, JSON.stringify({ message: "Not Found" }));
    const file = Object.hasOwn(index.files, path) ? index.files[path] : undefined;
    if (file !== undefined) return answerFile(file, headers, setting, read);
    if (path === "/contact.vcf" && setting.phone !== undefined)
      return createTextAnswer(
        200,
        { "Content-Type": "text/vcard; charset=utf-8" },
        renderContactCard(setting.phone, setting.origin),
      );
    // A page of an earlier build requests a deleted file, sees the 404 and reloads.
    if (path.startsWith("/assets/"))
      return createTextAnswer(404, { "Content-Type": "text/plain" }, "This file does not exist.");
    return answerShell(request);
  };
};
