import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writeAtomically } from "../files.ts";
import { MAIL_FROM } from "../mail/ses.ts";
import { VOICE_COUNTRIES, VOICE_FROM, createConnectInstanceArn } from "../phone/connect.ts";
import { SMS_COUNTRIES, SMS_FROM, SMS_PER_SECOND } from "../phone/sms.ts";
import { joinTemplates } from "./join.ts";
import { region } from "./resolve.ts";

/** The names of clients for programs that may become members. */
const MACHINES = "ci";

/** The provider for single sign-on, in a reserved domain; the stand-in is called instead. */
const SSO_ISSUER = "https://login.example.com/local";
const SSO_CLIENT = "event-alerting";

type SingleSignOn = "beside" | "only" | undefined;

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
export type StackVariant = {
  singleSignOn?: SingleSignOn;
  /** The region of the Connect instance, if it differs from the stage's region. */
  callsRegion?: string | undefined;
};

/** Returns the cache file of a variant. Each variant has a file, so that alternating variants need no new synthesis. */
const chooseCacheFile = ({ singleSignOn, callsRegion }: StackVariant): string => {
  const name = ["template", singleSignOn, callsRegion].filter((part) => part !== undefined).join("-");
  return join(root, `node_modules/.cache/local-service/${name}.json`);
};

const Cached = v.object({ sources: v.string(), bundles: v.string(), template: v.unknown() });

/** Returns a hash of the names and contents of the files in `cwd` that match one of the glob patterns. */
const hashFiles = (cwd: string, patterns: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const file of globSync([...patterns], { cwd }).sort()) hash.update(file).update(readFileSync(join(cwd, file)));
  return hash.digest("hex");
};

const hashSources = (): string =>
  hashFiles(root, [
    "{bin,lib,functions,interface,core}/**/*.{ts,cjs}",
    "console/**/*.{ts,tsx,css,html}",
    "docs/openapi.json",
    "package-lock.json",
    "cdk.json",
  ]) + root;
const hashBundles = (): string =>
  existsSync(dist) ? hashFiles(dist, ["*/*.js", "*/site/**/*.*", "package.json"]) : "none";

const synthesizeTemplate = async ({ singleSignOn, callsRegion = region }: StackVariant): Promise<unknown> => {
  const [{ createApp }, { readConfig }, { EventAlertingStack }, { addVoiceStack }] = await Promise.all([
    import("../../lib/app.ts"),
    import("../../lib/config.ts"),
    import("../../lib/stack.ts"),
    import("../../lib/voice-calls.ts"),
  ]);
  const app = createApp();
  // The template's metadata contains the bundles' paths, because bundles run where they were built.
  app.node.setContext("aws:cdk:disable-asset-staging", true);
  app.node.setContext("aws:cdk:enable-asset-metadata", true);
  // stages.json is not read, because this machine has no domain and no restored table.
  const config = readConfig({
    mailFrom: MAIL_FROM,
    smsFrom: SMS_FROM,
    smsPerSecond: SMS_PER_SECOND,
    smsCountries: SMS_COUNTRIES,
    voiceInstance: createConnectInstanceArn(callsRegion),
    // Only calls in another region need the stage's region.
    ...(callsRegion === region ? {} : { region }),
    voiceFrom: VOICE_FROM,
    voiceCountries: VOICE_COUNTRIES,
    slack: "true",
    machines: MACHINES,
    ...(singleSignOn === undefined ? {} : { singleSignOn, ssoIssuer: SSO_ISSUER, ssoClientId: SSO_CLIENT }),
  });
  const stack = new EventAlertingStack(app, { config });
  const beside = addVoiceStack(app, config);
  const assembly = app.synth();
  const readTemplate = ({ artifactId }: { artifactId: string }): unknown =>
    assembly.getStackArtifact(artifactId).template;
  const template = readTemplate(stack);
  const whole =
    beside === undefined
      ? template
      : joinTemplates(template, { stackName: beside.stackName, region: callsRegion, template: readTemplate(beside) });
  rmSync(assembly.directory, { recursive: true, force: true });
  return whole;
};

/** Synthesizes the stack without the `cdk` command. Returns the last template if neither sources nor bundles have changed. */
export const synthesizeStack = async (variant: StackVariant = {}): Promise<unknown> => {
  const cacheFile = chooseCacheFile(variant);
  const [sources, bundles] = [hashSources(), hashBundles()];
  const readCurrentCache = (file: string) => {
    const cached = readJsonFile(file, Cached);
    return cached?.sources === sources && cached.bundles === bundles ? cached : undefined;
  };
  const cached = readCurrentCache(cacheFile);
  if (cached !== undefined) return cached.template;
  // All variants have the same bundles, which may be in use, so they are not built again.
  if (readCurrentCache(chooseCacheFile({})) === undefined) (await import("../../lib/build.ts")).buildFunctions();
  const template = await synthesizeTemplate(variant);
  mkdirSync(join(cacheFile, ".."), { recursive: true });
  writeAtomically(cacheFile, JSON.stringify({ sources, bundles: hashBundles(), template }));
  return template;
};
