import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createRuntime, type Runtime, type RuntimeOptions } from "../../../local/runtime/runtime.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const createModel = (name: string, timeoutMs: number) => ({
  name,
  physicalName: `service-${name}`,
  arn: `arn:aws:lambda:us-east-1:000000000000:function:service-${name}`,
  codeDir: join(fixtures, name),
  environment: { GREETING: "hello" },
  timeoutMs,
  memoryMb: 128,
  reservedConcurrency: undefined,
  statements: [],
});

let runtime: Runtime;
const lines: string[] = [];
const startRuntime = ({ timeoutMs = 10_000, ...options }: Partial<RuntimeOptions> & { timeoutMs?: number } = {}) => {
  lines.length = 0;
  runtime = createRuntime({
    functions: ["faulty", "echo", "broken"].map((name) => createModel(name, timeoutMs)),
    environmentOf: ({ environment }) => environment,
    preloadsOf: () => [],
    onLine: (name, line) => lines.push(`${name}: ${line}`),
    onUsed: () => {},
    ...options,
  });
};
const invoke = async (action: string) => {
  const result = await runtime.invoke("faulty", "request-1", { action });
  return result.kind === "ok" ? (JSON.parse(result.payload) as unknown) : result;
};

afterEach(() => runtime.close());

describe("an instance of a local function", () => {
  it("is reused for the next invocation", async () => {
    startRuntime();

    expect(await invoke("count")).toStrictEqual({ invocations: 1 });
    expect(await invoke("count")).toStrictEqual({ invocations: 2 });
  });

  it("is metered by invocations and processor time", async () => {
    const used: object[] = [];
    startRuntime({ onUsed: (name, usage) => used.push({ name, ...usage }) });

    for (let time = 0; time < 20; time += 1) await invoke("count");

    expect(used.filter((usage) => "invocations" in usage)).toStrictEqual(
      Array.from({ length: 20 }, () => ({ name: "faulty", invocations: 1 })),
    );
    const times = used.flatMap((usage) => ("processorMs" in usage ? [usage.processorMs as number] : []));
    expect(times).toHaveLength(20);
    expect(times.reduce((sum, ms) => sum + ms)).toSatisfy((ms: number) => ms > 0 && ms < 5000);
  });

  it("sees its own environment and not that of the local service", async () => {
    startRuntime();

    expect(await invoke("environment")).toStrictEqual({ GREETING: "hello" });
  });

  it("handles one invocation at a time, and a second instance is started if the first stays busy", async () => {
    startRuntime({ maxInstancesOfOne: 2 });

    const results = await Promise.all([invoke("wait"), invoke("wait"), invoke("wait")]);

    const counts = results.map((result) => (result as { invocations: number }).invocations);
    expect(counts.filter((count) => count === 1)).toHaveLength(2);
  });

  it("survives an error of its handler", async () => {
    startRuntime();

    expect(await invoke("throw")).toMatchObject({ kind: "error", message: expect.stringContaining("on purpose") });
    expect(await invoke("count")).toStrictEqual({ invocations: 2 });
    expect(lines.join("\n")).toContain("thrown on purpose");
  });

  it.each([
    ["an invocation that takes too long", "hang", { kind: "timeout", message: "Task timed out after 0.40 seconds" }],
    ["the exit of its process", "exit", { kind: "crash", message: "the instance's process exited with code 3" }],
    [
      "a rejected promise that nobody handles",
      "reject",
      { kind: "crash", message: expect.stringContaining("nobody waits for this") as string },
    ],
  ])("is replaced after %s", async (_, action, outcome) => {
    startRuntime({ timeoutMs: 400 });

    expect(await invoke(action)).toStrictEqual(outcome);
    expect(await invoke("count")).toStrictEqual({ invocations: 1 });
  });

  it("fails the invocation if its bundle cannot be loaded, and logs why", async () => {
    startRuntime();

    const result = await runtime.invoke("broken", "request-1", {});

    expect(result).toMatchObject({ kind: "unloadable", message: expect.stringContaining("cannot be loaded") });
    expect(lines.join("\n")).toContain("runtime.unloadable");
  });

  it("is stopped when another function needs one and the maximum number of instances is reached", async () => {
    startRuntime({ maxInstances: 1 });

    await invoke("count");
    const echoed = await runtime.invoke("echo", "request-2", { hello: "world" });

    expect(echoed.kind).toBe("ok");
    expect(await invoke("count")).toStrictEqual({ invocations: 1 });
  });
});

it("a local function's output is passed on line by line", async () => {
  startRuntime();

  await runtime.invoke("echo", "request-7", {});

  await expect.poll(() => lines).toContain('echo: {"level":"INFO","code":"echo.called","requestId":"request-7"}');
});
