import type { Datapoint } from "./alarm-engine.ts";
import { listAt, type Resource, textAt } from "./support.ts";

/** Implements CloudWatch's filter patterns as far as the stack uses them: `{ ($.a.b = "c") && ($.d = "e") }`. */
const matchesPattern = (pattern: string, line: unknown): boolean => {
  const parts = /^\{ (.+) \}$/.exec(pattern)?.[1]?.split(" && ") ?? [];
  if (parts.length === 0) throw new Error(`${pattern} is no pattern for JSON`);
  return parts.every((part) => {
    const [, path, wanted] = /^\(\$\.([\w.]+) = "([^"*]+)"\)$/.exec(part) ?? [];
    if (path === undefined) throw new Error(`${part} is not understood`);
    let value: unknown = line;
    for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
    return value === wanted;
  });
};

export const countLine = (filter: Resource, line: object, at: number): Datapoint[] =>
  listAt<{ MetricName: string; MetricValue: string }>(filter, "MetricTransformations").flatMap(
    ({ MetricName, MetricValue }) =>
      matchesPattern(textAt(filter, "FilterPattern"), line)
        ? [{ at, metric: MetricName, value: Number(MetricValue) }]
        : [],
  );
