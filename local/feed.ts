import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

export type FeedEntry = { id: number; at: string; level: "info" | "good" | "problem"; source: string; text: string };

const LogLine = v.looseObject({ level: v.picklist(["INFO", "WARN", "ERROR"]), code: v.string() });
const Fields = v.record(v.string(), v.unknown());

const KEPT = 500;
/** The time between writes to log files. Writes are batched, because a load test would otherwise measure its own logging. */
const FLUSH_MS = 20;
/** The maximum number of lines per second in the terminal. More lines are only counted, so that a load test does not wait. */
const PRINTED_A_SECOND = 30;

const UNSHOWN: ReadonlySet<string> = new Set(["level", "code", "time", "stack", "error"]);

const formatLogText = (code: string, fields: Record<string, unknown>): string => {
  const shown = Object.entries(fields).filter(([name]) => !UNSHOWN.has(name));
  return [code, ...shown.map(([name, value]) => `${name}=${String(value)}`)].join("  ");
};

/** Replaces characters that end lines, reverse text or control terminals, because texts may come from outside. */
const toPrintable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ");

const marks = { info: "·", good: "✓", problem: "!" } as const;

type FeedOptions = { dir: string; print: ((line: string) => void) | undefined };

/** Creates writers of log files. A file is created with its first line. */
const createLogFiles = (directory: string) => {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const unwritten = new Map<string, string>();
  const flushLogFiles = (): void => {
    for (const [name, text] of unwritten) {
      const file = files.get(name) ?? createWriteStream(join(directory, `${name}.log`), { flags: "a" });
      files.set(name, file);
      file.write(text);
    }
    unwritten.clear();
  };
  return {
    append: (name: string, line: string): void => {
      if (unwritten.size === 0) setTimeout(flushLogFiles, FLUSH_MS);
      unwritten.set(name, `${unwritten.get(name) ?? ""}${line}\n`);
    },
    close: async (): Promise<void> => {
      flushLogFiles();
      await Promise.all([...files.values()].map((file) => new Promise<void>((done) => file.end(done))));
    },
  };
};

/** Returns a function that prints an entry, or only counts it if too many were printed in the current second. */
const createPrinter = (print: (line: string) => void, logs: string) => {
  let second = 0;
  let printed = 0;
  let skipped = 0;
  return ({ at, level, source, text }: FeedEntry): void => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      if (skipped > 0) print(`  … and ${skipped} more lines; all are in ${logs}`);
      second = now;
      printed = 0;
      skipped = 0;
    }
    printed += 1;
    if (printed > PRINTED_A_SECOND && level !== "problem") skipped += 1;
    else print(`${at.slice(11, 23)}  ${marks[level]} ${source.padEnd(20)} ${text}`);
  };
};

/** Collects the local service's log entries: keeps the last entries, calls listeners, writes files in `dir`/logs, and prints. */
export const createFeed = ({ dir, print }: FeedOptions) => {
  const logs = join(dir, "logs");
  const { append, close } = createLogFiles(logs);
  const show = print === undefined ? undefined : createPrinter(print, logs);
  const entries: FeedEntry[] = [];
  const listeners = new Set<(entry: FeedEntry) => void>();
  let nextId = 1;

  const addEntry = (level: FeedEntry["level"], source: string, text: string): void => {
    const entry: FeedEntry = { id: nextId, at: new Date().toISOString(), level, source, text: toPrintable(text) };
    nextId += 1;
    entries.push(entry);
    if (entries.length > KEPT) entries.shift();
    append("local", `${entry.at} ${entry.level} ${entry.source} ${entry.text}`);
    show?.(entry);
    for (const listener of listeners) listener(entry);
  };

  return {
    add: addEntry,
    addLine: (functionName: string, line: string): void => {
      append(functionName, line);
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), LogLine), line);
      if (!parsed.success) {
        if (!line.startsWith("{")) addEntry("info", functionName, line);
        return;
      }
      const { level, code } = parsed.output;
      addEntry(
        level === "INFO" ? "info" : "problem",
        functionName,
        formatLogText(code, v.parse(Fields, parsed.output)),
      );
    },
    recent: (): readonly FeedEntry[] => entries,
    listen: (listener: (entry: FeedEntry) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
  };
};
export type Feed = ReturnType<typeof createFeed>;
