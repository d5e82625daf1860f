import * as v from "valibot";
import { Resource } from "./event-key.ts";
import { MAPPED_PATH_MAX_CODE_POINTS, MAPPED_PATHS_MAX, MAPPED_WORDS_MAX, NAME_MAX_CODE_POINTS } from "./limits.ts";
import { PrioritySpelling } from "./priority.ts";
import { text } from "./text.ts";

/* The paths at which a tool without an adapter has the parts of an event. */

/** A name between dots, or one in brackets and quotes, which may have dots of its own. */
const NAME = /(?:^|(?<!^)\.)(?!\[")(?<plain>[^.]+?)(?=\.|\["|$)|(?:(?<!^)\.)?\["(?<quoted>[^"]+)"\]/gy;

/** The names that a path leads through; undefined for a text that is not a path. */
export const namesOf = (path: string): string[] | undefined => {
  const names = [...path.matchAll(NAME)];
  const length = names.reduce((sum, [name]) => sum + name.length, 0);
  if (length === 0 || length < path.length) return undefined;
  return names.flatMap(({ groups }) => groups?.["plain"] ?? groups?.["quoted"] ?? []);
};

const Path = v.pipe(
  text("A path", MAPPED_PATH_MAX_CODE_POINTS),
  v.check(
    (path) => namesOf(path) !== undefined,
    'A path is the names that lead to a value, with dots between them, such as alert.title, tags.0 or labels["app.kubernetes.io/name"].',
  ),
);
const Paths = v.pipe(
  v.array(Path, "must be a list of paths."),
  v.minLength(1, "must have at least one path."),
  v.maxLength(MAPPED_PATHS_MAX, `must have at most ${MAPPED_PATHS_MAX} paths.`),
);
/** The texts of several paths as one. Paths without a text are left out. */
const Joined = v.strictObject({
  join: Paths,
  /** The text between them. */
  with: v.exactOptional(v.pipe(v.string("with must be a text."), v.maxLength(NAME_MAX_CODE_POINTS))),
});
const Texts = v.pipe(
  v.array(v.union([Path, Joined], 'must be a path, or {"join": [paths]}.'), "must be a list of paths."),
  v.minLength(1, "must have at least one path."),
  v.maxLength(MAPPED_PATHS_MAX, `must have at most ${MAPPED_PATHS_MAX} paths.`),
);
const Word = text("A word", NAME_MAX_CODE_POINTS);

/** Holds if the path leads to one of these texts. */
const State = v.strictObject({
  path: Path,
  is: v.pipe(
    v.array(Word, "is must be a list of texts."),
    v.minLength(1, "is must have at least one text."),
    v.maxLength(MAPPED_WORDS_MAX, `is must have at most ${MAPPED_WORDS_MAX} texts.`),
  ),
});

/** Paths into a payload, or into each alert of it. If several are given, the first with a text counts. */
export const Mapping = v.strictObject({
  /** The first part of event keys: `datadog` for `datadog.firing` and `datadog.resolved`. */
  resource: Resource,
  /** Whether a message is a list, of which each entry is read as a message. */
  each: v.exactOptional(v.literal(true, "each must be true, or left out.")),
  /** The list whose entries are alerts. Paths start at the entry, or else at the payload. */
  alerts: v.exactOptional(Path),
  title: Texts,
  body: v.exactOptional(Texts),
  detail: v.exactOptional(Texts),
  url: v.exactOptional(Paths),
  priority: v.exactOptional(Paths),
  /** The tool's own words for priorities; `critical`, `error`, `P3` and similar words are known. */
  priorities: v.exactOptional(
    v.pipe(
      v.record(Word, PrioritySpelling),
      v.maxEntries(MAPPED_WORDS_MAX, `priorities must have at most ${MAPPED_WORDS_MAX} words.`),
    ),
  ),
  /** What identifies an alert: all of them together. */
  dedupeKey: v.exactOptional(Paths),
  /** When the alert changed: a time in ISO 8601, or in seconds or milliseconds since 1970. */
  changedAt: v.exactOptional(Paths),
  /** Which messages fire. Without it, every message fires that is neither resolved nor ignored; with it, no other does. */
  firing: v.exactOptional(State),
  /** An alert is over. */
  resolved: v.exactOptional(State),
  /** Makes no event, whatever the other two say. */
  ignored: v.exactOptional(State),
});
export type Mapping = v.InferOutput<typeof Mapping>;
