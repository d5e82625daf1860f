import { execFile } from "node:child_process";
import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** Packs a copy of the client's source, because another test may pack the client at the same time. */
export const installClient = async (dir: string): Promise<void> => {
  const env = { PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`, HOME: dir };
  const source = join(dir, "source");
  for (const name of ["client", "docs/openapi.json", "LICENSE"])
    cpSync(join(root, name), join(source, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
  await run("npm", ["pack", "--pack-destination", dir], { cwd: join(source, "client"), env });
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  const tarballs = readdirSync(dir).filter((name) => /^event-alerting-client-.*\.tgz$/.test(name));
  const options = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", ...options, ...tarballs.map((name) => join(dir, name))], { cwd: dir, env });
};
