import { valueAt, listAt, type Resource, textAt } from "./support.ts";

const MINUTE = 60_000;

/** A value of a metric. `about`: part of a dimension's value, such as a queue's name. */
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

const readDimensions = (dimensions: readonly { Value: unknown }[] | undefined): string[] =>
  (dimensions ?? []).map(({ Value }) => JSON.stringify(Value));

/** Returns the value of one period, or undefined without data. */
const computeValue = (data: readonly Datapoint[], stat: Stat, from: number): number | undefined => {
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

/** Evaluates CloudWatch's expressions as far as the stack uses them: + / >= FILL IF and parentheses. */
const evaluate = (expression: string, values: Readonly<Record<string, number | undefined>>): number | undefined => {
  const tokens = expression.match(/[A-Za-z]\w*|\d+(?:\.\d+)?|>=|[-+*/(),]/g) ?? [];
  let position = 0;
  const takeToken = (): string => tokens[position++] ?? "";
  const peekToken = (): string => tokens[position] ?? "";
  const combine = (a: number | undefined, b: number | undefined, compute: (a: number, b: number) => number) =>
    a === undefined || b === undefined ? undefined : compute(a, b);
  const parseArguments = (): (number | undefined)[] => {
    const list: (number | undefined)[] = [];
    takeToken();
    while (peekToken() !== ")") {
      list.push(parseComparison());
      if (peekToken() === ",") takeToken();
    }
    takeToken();
    return list;
  };
  const parseAtom = (): number | undefined => {
    if (peekToken() === "(") return parseArguments()[0];
    const token = takeToken();
    if (/^\d/.test(token)) return Number(token);
    if (token === "FILL") {
      const [value, filler] = parseArguments();
      return value ?? filler;
    }
    if (token === "IF") {
      const [condition, yes, no] = parseArguments();
      return condition === undefined ? undefined : condition === 0 ? no : yes;
    }
    if (!(token in values)) throw new Error(`${token} is not known in ${expression}`);
    return values[token];
  };
  const parseProduct = (): number | undefined => {
    let value = parseAtom();
    while (peekToken() === "/") {
      takeToken();
      value = combine(value, parseAtom(), (a, b) => a / b);
    }
    return value;
  };
  const parseSum = (): number | undefined => {
    let value = parseProduct();
    while (peekToken() === "+") {
      takeToken();
      value = combine(value, parseProduct(), (a, b) => a + b);
    }
    return value;
  };
  const parseComparison = (): number | undefined => {
    const value = parseSum();
    if (peekToken() !== ">=") return value;
    takeToken();
    return combine(value, parseSum(), (a, b) => (a >= b ? 1 : 0));
  };
  return parseComparison();
};

const compare: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Returns whether an alarm is on at the time `now`, by the data until then. */
export const isInAlarm = (alarm: Resource, data: readonly Datapoint[], now: number): boolean => {
  const parts = (valueAt(alarm, "Metrics") === undefined ? [] : listAt<Part>(alarm, "Metrics")).flatMap((part) => part);
  const stats = new Map<string, Stat>(
    parts.flatMap(({ Id, MetricStat }) =>
      MetricStat === undefined
        ? []
        : [
            [
              Id,
              {
                metric: MetricStat.Metric.MetricName,
                abouts: readDimensions(MetricStat.Metric.Dimensions),
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
      abouts: readDimensions(valueAt(alarm, "Dimensions") as { Value: unknown }[] | undefined),
      statistic: textAt(alarm, "Statistic"),
      periodMs: Number(valueAt(alarm, "Period")) * 1000,
    });
  const expression = parts.find(({ ReturnData, Expression }) => ReturnData && Expression !== undefined)?.Expression;
  const periodMs = Math.max(...[...stats.values()].map((stat) => stat.periodMs));
  const end = Math.floor(now / MINUTE) * MINUTE;
  const breaching = Array.from({ length: Number(valueAt(alarm, "EvaluationPeriods")) }, (_, index) => {
    const from = end - (index + 1) * periodMs;
    const values = Object.fromEntries([...stats].map(([id, stat]) => [id, computeValue(data, stat, from)]));
    const value = evaluate(expression ?? "only", values);
    if (value === undefined) return valueAt(alarm, "TreatMissingData") === "breaching";
    return compare[textAt(alarm, "ComparisonOperator")]!(value, Number(valueAt(alarm, "Threshold")));
  });
  return breaching.filter(Boolean).length >= Number(valueAt(alarm, "DatapointsToAlarm") ?? breaching.length);
};
