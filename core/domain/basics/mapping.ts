import * as v from "valibot";
import { Resource } from "./event-key.ts";
import { MAPPED_PATH_MAX_CODE_POINTS, MAPPED_PATHS_MAX, MAPPED_WORDS_MAX, NAME_MAX_CODE_POINTS } from "./limits.ts";
import { PrioritySpelling } from "./priority.ts";
import { text } from "./text.ts";

/* Where a tool without an adapter has what an event consists of. */

const Path = v.pipe(
  text("A path", MAPPED_PATH_MAX_CODE_POINTS),
  v.check(
    (path) => path.split(".").every((name) => name !== ""),
    "A path is the names that lead to a value, with dots between them, such as alert.title or tags.0.",
  ),
);
const Paths = v.pipe(
  v.array(Path, "must be a list of paths."),
  v.minLength(1, "must have at least one path."),
  v.maxLength(MAPPED_PATHS_MAX, `must have at most ${MAPPED_PATHS_MAX} paths.`),
);
const Word = text("A word", NAME_MAX_CODE_POINTS);

/** Paths into a payload, or into each alert of it. Where several are given, the first that leads to a text counts. */
export const Mapping = v.strictObject({
  /** What event keys begin with: `datadog` for `datadog.firing` and `datadog.resolved`. */
  resource: Resource,
  /** The list of which each entry is an alert. Paths lead into the entry, or else into the payload. */
  alerts: v.exactOptional(Path),
  title: Paths,
  body: v.exactOptional(Paths),
  detail: v.exactOptional(Paths),
  url: v.exactOptional(Paths),
  priority: v.exactOptional(Paths),
  /** The tool's own words for priorities; `critical`, `error`, `P3` and their like are known. */
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
  /** An alert is over if this path has one of these texts. */
  resolved: v.exactOptional(
    v.strictObject({
      path: Path,
      is: v.pipe(
        v.array(Word, "is must be a list of texts."),
        v.minLength(1, "is must have at least one text."),
        v.maxLength(MAPPED_WORDS_MAX, `is must have at most ${MAPPED_WORDS_MAX} texts.`),
      ),
    }),
  ),
});
export type Mapping = v.InferOutput<typeof Mapping>;
