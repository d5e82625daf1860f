import * as v from "valibot";

/* Events and results are JSON, as on Lambda. */

export const Invocation = v.object({
  requestId: v.string(),
  event: v.string(),
  aheadMs: v.number(),
  timeoutMs: v.number(),
});
export type Invocation = v.InferOutput<typeof Invocation>;

export const FromInstance = v.variant("kind", [
  v.object({ kind: v.literal("ready") }),
  v.object({ kind: v.literal("unloadable"), message: v.string() }),
  v.object({ kind: v.literal("result"), result: v.string(), processorMs: v.number() }),
  v.object({ kind: v.literal("error"), message: v.string(), processorMs: v.number() }),
]);
export type FromInstance = v.InferOutput<typeof FromInstance>;

export const Setting = v.object({ file: v.string(), physicalName: v.string(), arn: v.string(), memoryMb: v.number() });
export type Setting = v.InferOutput<typeof Setting>;
