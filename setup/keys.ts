import * as v from "valibot";
import { type Api, NoAnswer } from "./api.ts";
import { CommandError, type Options, type World } from "./command.ts";
import type { SetUp } from "./write.ts";

/** The API returns each secret only once, so the secret is stored in a file at once, or printed on request. */

const PATH = "/api-keys";

const Listed = v.object({ id: v.string(), name: v.string(), createdAt: v.string() });
/** `url`: the URL for the source's tool, which contains the secret. */
const CreatedKey = v.object({ ...Listed.entries, key: v.string(), url: v.optional(v.string()) });
type CreatedKey = v.InferOutput<typeof CreatedKey>;

export type Secret = { name: string; key: string; url?: string | undefined } | { webhook: string; secret: string };
export type KeepSecret = (secret: Secret) => void;

export const keysFileOption = {
  "keys-file": {
    means: "the file for the secrets of new keys and webhooks, only for you (mode 600); - prints the secrets",
  },
} as const;

const formatSecret = (secret: Secret): string =>
  "webhook" in secret
    ? `webhook "${secret.webhook}": ${secret.secret}`
    : `key "${secret.name}": ${secret.url ?? secret.key}`;

/** Returns a function that prints or stores the secrets of `planned` items. Throws if no option says where secrets go. */
export const chooseSecretOutput = (
  world: World,
  options: Options,
  planned: { keys: readonly string[]; webhooks: readonly string[] },
): KeepSecret => {
  const { "keys-file": path, json } = options;
  const { keys, webhooks } = planned;
  if (keys.length + webhooks.length === 0)
    return () => {
      throw new Error("the service returned a secret, but apply created no key or webhook");
    };
  const describeSecretsToCreate = (names: readonly string[], noun: string): string[] =>
    names.length === 0 ? [] : [`${names.length} ${noun} (${names.join(", ")})`];
  if (typeof path !== "string")
    throw new CommandError(
      `${[...describeSecretsToCreate(keys, "API keys"), ...describeSecretsToCreate(webhooks, "webhooks")].join(" and ")} are to be created: name the file for their secrets with --keys-file, or - to see them here.`,
    );
  if (path === "-" && json === true)
    throw new CommandError("With --json, --keys-file must name a file for the secrets, instead of -.");
  if (path === "-") return (secret) => world.print(formatSecret(secret));
  if (world.readText(path) !== undefined)
    throw new CommandError(`${path} exists already, and may contain secrets: name another file with --keys-file.`);
  const secrets: Secret[] = [];
  return (secret) => {
    secrets.push(secret);
    // Writes the file after each secret, so that an interruption loses no secret.
    world.writeSecret(path, `${JSON.stringify(secrets, null, 2)}\n`);
  };
};

type KeyRun = { api: Api; file: SetUp; done: (what: string) => void; keep: KeepSecret };

const createKey = async ({ api, file }: KeyRun, name: string): Promise<CreatedKey> => {
  const key = file.keys.find((one) => one.name === name);
  if (key === undefined) throw new CommandError(`The file has no key "${name}".`);
  try {
    return await api.create(PATH, key, CreatedKey);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const found = (await api.list(PATH, Listed)).find((one) => one.name === name);
    const made =
      found === undefined ? "" : ` The key was created (${found.id}), but nobody has its secret: delete the key.`;
    throw new CommandError(
      `The service did not answer the request to create the key "${name}".${made} Then run apply again.`,
    );
  }
};

/** Creates keys one by one, and passes on each secret. Keys with existing names stay unchanged. */
export const createKeys = async (context: KeyRun, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  const there = new Set((await context.api.list(PATH, Listed)).map(({ name }) => name));
  for (const name of names.filter((one) => !there.has(one))) {
    const { key, url } = await createKey(context, name);
    context.keep({ name, key, ...(url === undefined ? {} : { url }) });
    context.done(`created key "${name}"`);
  }
};
