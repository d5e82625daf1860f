import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the service, which must fail, and returns its output. */
export const startAndFail = async (env: Record<string, string>) => {
  const child = spawn(process.execPath, ["local/start.ts"], { env: { ...process.env, ...env } });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number];
  return { code, errors };
};
