import { at, listAt, type Resource, textAt } from "./support.ts";

const MINUTE = 60_000;

/** One value of a metric, by its name and, for AWS metrics, its dimension. */
export type Datapoint = { at: number; metric: string; about?: string; value: number };

type Stat = { metric: string; abouts: string[]; statistic: string; periodMs: number };
type Part = {
  Id: string;
  Expression?: string;
  ReturnData: boolean;
  MetricStat?: {
    Metric: { MetricName: string; Dimensions?: { Value: unknown }[] };
    Stat: string;
    Period: number;
  };
};

const aboutsOf = (dimensions: readonly { Value: unknown }[] | undefined): string[] =>
  (dimensions ?? []).map(({ Value }) => JSON.stringify(Value));

/** The metric's value in one period; undefined without data. */
const valueIn = (data: readonly Datapoint[], stat: Stat, from: number): number | undefined => {
  const values = data
    .filter(
      ({ at: time, metric, about }) =>
        metric === stat.metric &&
        (about === undefined || stat.abouts.some((text) => text.includes(about))) &&
        time >= from &&
        time < from + stat.periodMs,
    )
    .map(({ value }) => value);
  if (values.length === 0) return undefined;
  return stat.statistic === "Maximum" ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
};

/** CloudWatch's expressions, as far as the stack uses them: + / >= FILL IF and parentheses. */
const evaluate = (expression: string, values: Readonly<Record<string, number | undefined>>): number | undefined => {
  const tokens = expression.match(/[A-Za-z]\w*|\d+(?:\.\d+)?|>=|[-+*/(),]/g) ?? [];
  let position = 0;
  const take = (): string => tokens[position++] ?? "";
  const peek = (): string => tokens[position] ?? "";
  const both = (a: number | undefined, b: number | undefined, of: (a: number, b: number) => number) =>
    a === undefined || b === undefined ? undefined : of(a, b);
  const args = (): (number | undefined)[] => {
    const list: (number | undefined)[] = [];
    take();
    while (peek() !== ")") {
      list.push(comparison());
      if (peek() === ",") take();
    }
    take();
    return list;
  };
  const atom = (): number | undefined => {
    if (peek() === "(") return args()[0];
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (token === "FILL") {
      const [value, filler] = args();
      return value ?? filler;
    }
    if (token === "IF") {
      const [condition, yes, no] = args();
      return condition === undefined ? undefined : condition === 0 ? no : yes;
    }
    if (!(token in values)) throw new Error(`${token} is not known in ${expression}`);
    return values[token];
  };
  const product = (): number | undefined => {
    let value = atom();
    while (peek() === "/") {
      take();
      value = both(value, atom(), (a, b) => a / b);
    }
    return value;
  };
  const sum = (): number | undefined => {
    let value = product();
    while (peek() === "+") {
      take();
      value = both(value, product(), (a, b) => a + b);
    }
    return value;
  };
  const comparison = (): number | undefined => {
    const value = sum();
    if (peek() !== ">=") return value;
    take();
    return both(value, sum(), (a, b) => (a >= b ? 1 : 0));
  };
  return comparison();
};

const compare: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Whether CloudWatch would put an alarm of the template into the state ALARM, given the data up to a time. */
export const pages = (alarm: Resource, data: readonly Datapoint[], now: number): boolean => {
  const parts = (at(alarm, "Metrics") === undefined ? [] : listAt<Part>(alarm, "Metrics")).flatMap((part) => part);
  const stats = new Map<string, Stat>(
    parts.flatMap(({ Id, MetricStat }) =>
      MetricStat === undefined
        ? []
        : [
            [
              Id,
              {
                metric: MetricStat.Metric.MetricName,
                abouts: aboutsOf(MetricStat.Metric.Dimensions),
                statistic: MetricStat.Stat,
                periodMs: MetricStat.Period * 1000,
              },
            ] as const,
          ],
    ),
  );
  if (stats.size === 0)
    stats.set("only", {
      metric: textAt(alarm, "MetricName"),
      abouts: aboutsOf(at(alarm, "Dimensions") as { Value: unknown }[] | undefined),
      statistic: textAt(alarm, "Statistic"),
      periodMs: Number(at(alarm, "Period")) * 1000,
    });
  const expression = parts.find(({ ReturnData, Expression }) => ReturnData && Expression !== undefined)?.Expression;
  const periodMs = Math.max(...[...stats.values()].map((stat) => stat.periodMs));
  const end = Math.floor(now / MINUTE) * MINUTE;
  const breaching = Array.from({ length: Number(at(alarm, "EvaluationPeriods")) }, (_, index) => {
    const from = end - (index + 1) * periodMs;
    const values = Object.fromEntries([...stats].map(([id, stat]) => [id, valueIn(data, stat, from)]));
    const value = evaluate(expression ?? "only", values);
    if (value === undefined) return at(alarm, "TreatMissingData") === "breaching";
    return compare[textAt(alarm, "ComparisonOperator")]!(value, Number(at(alarm, "Threshold")));
  });
  return breaching.filter(Boolean).length >= Number(at(alarm, "DatapointsToAlarm") ?? breaching.length);
};
