import * as v from "valibot";

/** A function's usage in the units of AWS's bill. */
export const Usage = v.object({
  invocations: v.number(),
  writeUnits: v.number(),
  readUnits: v.number(),
  sqsRequests: v.number(),
  fcmRequests: v.number(),
  /** The processor time of the function's code. AWS also bills the time in which the function waits. */
  processorMs: v.number(),
});
export type Usage = v.InferOutput<typeof Usage>;

const kinds = v.keyof(Usage).options;
const nothing: Usage = { invocations: 0, writeUnits: 0, readUnits: 0, sqsRequests: 0, fcmRequests: 0, processorMs: 0 };

export type MeterReading = Record<string, Usage>;

const addUsage = (usage: Usage, added: Partial<Usage>): Usage => {
  const total = { ...usage };
  for (const kind of kinds) total[kind] += added[kind] ?? 0;
  return total;
};

/** Creates meters that add up each function's usage. */
export const createMeters = () => {
  const byFunction = new Map<string, Usage>();
  return {
    add: (functionName: string, usage: Partial<Usage>): void => {
      byFunction.set(functionName, addUsage(byFunction.get(functionName) ?? nothing, usage));
    },
    read: (): MeterReading => Object.fromEntries(byFunction),
    reset: (): void => byFunction.clear(),
  };
};
export type Meters = ReturnType<typeof createMeters>;

/** Adds up readings by function. `total`: the sum of all functions. */
export const mergeReadings = (readings: readonly MeterReading[]): { functions: MeterReading; total: Usage } => {
  const merged = createMeters();
  for (const reading of readings) for (const [name, usage] of Object.entries(reading)) merged.add(name, usage);
  const functions = merged.read();
  return { functions, total: Object.values(functions).reduce(addUsage, nothing) };
};
