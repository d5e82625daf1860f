import { CommandError, type World } from "./command.ts";
import type { SetUp } from "./write.ts";

/* A Teams URL is a secret, so the file names an environment variable instead. */

/** Returns the URLs of new Teams channels by connection. Must be called before any change. Throws if a URL is missing. */
export const readTeamsUrls = (
  { env }: Pick<World, "env">,
  { connections }: Pick<SetUp, "connections">,
  newConnections: readonly string[],
): ReadonlyMap<string, string> =>
  new Map(
    connections
      .filter(({ name, kind }) => kind === "teams" && newConnections.includes(name))
      .map(({ name, urlFrom }): [string, string] => {
        const what = `The connection "${name}" is to be created`;
        if (urlFrom === undefined)
          throw new CommandError(`${what}: set urlFrom to the name of the environment variable that has its URL.`);
        const url = env[urlFrom];
        if (url === undefined || url === "")
          throw new CommandError(`${what}: the environment variable ${urlFrom} must have its URL.`);
        return [name, url];
      }),
  );
