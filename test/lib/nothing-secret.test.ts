import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKeyText, parseApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { distDir } from "../../lib/build.ts";
import { synthesizeStack } from "../../local/template/synthesize.ts";

/** The forms of keys, by issuer. */
const shapes: Readonly<Record<string, RegExp>> = {
  "a private key": /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\\r|\\n|\s)*[A-Za-z0-9+/=]{64}/,
  "an access key of AWS": /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
  "a secret key of AWS": /aws_?secret_?(?:access_?)?key["'\s:=]+[A-Za-z0-9+/]{40}/i,
  "a token": /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
  "a key of Google": /\bAIza[\w-]{35}\b/,
  "an access token of Google": /\bya29\.[\w-]{30,}/,
  "a token of GitHub": /\b(?:gh[pousr]_\w{36}|github_pat_\w{60,})/,
  "a token of npm": /\bnpm_[A-Za-z0-9]{36}\b/,
  "a token of Slack": /\bxox[abprs]-[\w-]{20,}/,
};

const findSecrets = (text: string): string[] => [
  ...Object.entries(shapes).flatMap(([what, shape]) => (shape.test(text) ? [what] : [])),
  ...[...text.matchAll(/\beak_[\w-]+/g)].flatMap(([key]) => (parseApiKey(key) === undefined ? [] : ["an API key"])),
];

const root = join(import.meta.dirname, "../..");
let template: unknown;
beforeAll(async () => {
  template = await synthesizeStack();
});

it("secret keys are recognised by their format", async () => {
  const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const samples = [
    pem.toString(),
    JSON.stringify(pem),
    ["AKIA", "Z2Y3X4W5V6U7TSRQ"].join(""),
    await createApiKeyText(() => "key_1", "ws_1"),
    ["eyJhbGciOiJSUzI1NiJ9", "eyJzdWIiOiJhbGljZSJ9", "c2lnbmF0dXJlb2ZzZXNzaW9u"].join("."),
  ];

  expect(samples.map(findSecrets)).toEqual([
    ["a private key"],
    ["a private key"],
    ["an access key of AWS"],
    ["an API key"],
    ["a token"],
  ]);
});

describe("a text that looks like a secret key", () => {
  it("is not in the bundles", () => {
    const files = readdirSync(distDir, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(?:js|map)$/.test(file),
    );

    expect(files.length).toBeGreaterThan(80);
    const found = files.map((file) => [file, findSecrets(readFileSync(join(distDir, file), "utf8"))] as const);
    expect(found.filter(([, secrets]) => secrets.length > 0)).toEqual([]);
  });

  it("is not in the template, whose environment values are names, numbers and references", () => {
    const { Resources } = template as {
      Resources: Record<string, { Properties: { Environment?: { Variables: Record<string, unknown> } } }>;
    };
    const variables = Object.values(Resources).flatMap(({ Properties }) =>
      Object.entries(Properties.Environment?.Variables ?? {}),
    );

    expect(findSecrets(JSON.stringify(template))).toEqual([]);
    expect(JSON.stringify(template)).not.toMatch(/"(?:SecretString|Password|MasterUserPassword)":/);
    const texts = variables.filter(([, value]) => typeof value === "string");
    expect(Object.fromEntries(texts)).toEqual({
      DEFAULT_PLAN: '{"monthlyEvents":100000,"eventsPerMinute":300,"burst":100,"retentionDays":400}',
      MAIL_EVENTS: "event-alerting-dev",
      MAIL_FROM: "alerts@local.example",
      NODE_OPTIONS: "--enable-source-maps",
      PACE: '{"email":14,"sms":10,"voice":2}',
      SMS: '{"from":"arn:aws:sms-voice:us-east-1:000000000000:pool/pool-local","countries":["DE","AT","CH","US"],"maxPrice":"0.20","monthly":500,"events":"event-alerting-dev"}',
      STAGE: "dev",
      VOICE_FROM: "+18005550101",
      WAYS: "push,email,sms,voice",
    });
  });

  it("is not in a file of this repository", () => {
    const made = new Set([".git", "node_modules", "dist", "cdk.out", "coverage", ".local"]);
    const files = readdirSync(root, { withFileTypes: true })
      .filter(({ name }) => !made.has(name))
      .flatMap((entry) =>
        entry.isFile()
          ? [entry.name]
          : readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
              .filter((inner) => inner.isFile())
              .map((inner) => relative(root, join(inner.parentPath, inner.name))),
      );

    const found = files.map((file) => [file, findSecrets(readFileSync(join(root, file), "utf8"))] as const);

    expect(files.length).toBeGreaterThan(400);
    expect(found.filter(([, secrets]) => secrets.length > 0)).toEqual([]);
  });
});
