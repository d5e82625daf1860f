import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writeWhole } from "../files.ts";
import { MAIL_FROM } from "../mail/ses.ts";
import { VOICE_COUNTRIES, VOICE_FROM, VOICE_INSTANCE } from "../phone/connect.ts";
import { SMS_COUNTRIES, SMS_FROM } from "../phone/sms.ts";

/** The programs that may be members of workspaces. */
const MACHINES = "ci";

/** The provider of single sign-on, in a domain that nobody has; its stand-in is called in its place. */
const SSO_ISSUER = "https://login.example.com/local";
const SSO_CLIENT = "event-alerting";

/** Whether people sign in by that provider. */
type SingleSignOn = "beside" | "only" | undefined;

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
const cacheFileOf = (singleSignOn: SingleSignOn): string =>
  join(
    root,
    "node_modules/.cache/local-service",
    `template${singleSignOn === undefined ? "" : `-${singleSignOn}`}.json`,
  );

const Cached = v.object({ sources: v.string(), bundles: v.string(), template: v.unknown() });

const hashOf = (cwd: string, patterns: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const file of globSync([...patterns], { cwd }).sort()) hash.update(file).update(readFileSync(join(cwd, file)));
  return hash.digest("hex");
};

/** The hash of all sources of the bundles and the template. */
const sourcesHash = (): string =>
  hashOf(root, [
    "{bin,lib,functions,core}/**/*.{ts,cjs}",
    "console/**/*.{ts,tsx,css,html}",
    "docs/openapi.json",
    "package-lock.json",
    "cdk.json",
  ]) + root;
const bundlesHash = (): string =>
  existsSync(dist) ? hashOf(dist, ["*/*.js", "*/site/**/*.*", "package.json"]) : "none";

const synthesize = async (singleSignOn: SingleSignOn): Promise<unknown> => {
  const [{ newApp }, { buildFunctions }, { readConfig }, { EventAlertingStack }] = await Promise.all([
    import("../../lib/app.ts"),
    import("../../lib/build.ts"),
    import("../../lib/config.ts"),
    import("../../lib/stack.ts"),
  ]);
  buildFunctions();
  const app = newApp();
  // The bundles run where they are built; the metadata says where that is.
  app.node.setContext("aws:cdk:disable-asset-staging", true);
  app.node.setContext("aws:cdk:enable-asset-metadata", true);
  // The settings of a stage in stages.json do not apply: this machine has no domain and no restored table.
  const config = readConfig({
    mailFrom: MAIL_FROM,
    smsFrom: SMS_FROM,
    smsCountries: SMS_COUNTRIES,
    voiceInstance: VOICE_INSTANCE,
    voiceFrom: VOICE_FROM,
    voiceCountries: VOICE_COUNTRIES,
    slack: "true",
    machines: MACHINES,
    ...(singleSignOn === undefined ? {} : { singleSignOn, ssoIssuer: SSO_ISSUER, ssoClientId: SSO_CLIENT }),
  });
  const stack = new EventAlertingStack(app, { config });
  const assembly = app.synth();
  const template: unknown = assembly.getStackArtifact(stack.artifactId).template;
  rmSync(assembly.directory, { recursive: true, force: true });
  return template;
};

/**
 * Builds the functions and synthesizes the stack, in this process and without the cdk command. If neither the sources
 * nor the bundles have changed since the last time, it returns the template of that time.
 */
export const synthesizeStack = async (singleSignOn?: SingleSignOn): Promise<unknown> => {
  const cacheFile = cacheFileOf(singleSignOn);
  const sources = sourcesHash();
  const cached = readJsonFile(cacheFile, Cached);
  if (cached?.sources === sources && cached.bundles === bundlesHash()) return cached.template;
  const template = await synthesize(singleSignOn);
  mkdirSync(join(cacheFile, ".."), { recursive: true });
  writeWhole(cacheFile, JSON.stringify({ sources, bundles: bundlesHash(), template }));
  return template;
};
