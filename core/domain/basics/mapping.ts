import * as v from "valibot";
import { Resource } from "./event-key.ts";
import { MAPPED_PATH_MAX_CODE_POINTS, MAPPED_PATHS_MAX, MAPPED_WORDS_MAX, NAME_MAX_CODE_POINTS } from "./limits.ts";
import { PrioritySpelling } from "./priority.ts";
import { textSchema } from "./text.ts";

/* A mapping says where a tool's messages contain the fields of an event. */

/** Matches a name between dots, or a name in brackets and quotes, which may itself contain dots. */
const NAME = /(?:^|(?<!^)\.)(?!\[")(?<plain>[^.]+?)(?=\.|\["|$)|(?:(?<!^)\.)?\["(?<quoted>[^"]+)"\]/gy;

/** Returns the names on the path; undefined if the path is malformed. */
export const parseDataPath = (path: string): string[] | undefined => {
  const names = [...path.matchAll(NAME)];
  const length = names.reduce((sum, [name]) => sum + name.length, 0);
  if (length === 0 || length < path.length) return undefined;
  return names.flatMap(({ groups }) => groups?.["plain"] ?? groups?.["quoted"] ?? []);
};

const Path = v.pipe(
  textSchema("A path", MAPPED_PATH_MAX_CODE_POINTS),
  v.check(
    (path) => parseDataPath(path) !== undefined,
    'A path is the names that lead to a value, with dots between them, such as alert.title, tags.0 or labels["app.kubernetes.io/name"].',
  ),
);
const mappedFieldSchema = <Item extends v.GenericSchema>(pathSchema: Item) =>
  v.pipe(
    v.array(pathSchema, "A mapped field must be a list of paths."),
    v.minLength(1, "A mapped field must have at least one path."),
    v.maxLength(MAPPED_PATHS_MAX, `A mapped field must have at most ${MAPPED_PATHS_MAX} paths.`),
  );
const Paths = mappedFieldSchema(Path);
/** Joins the texts at several paths. Skips paths without a text. */
const Joined = v.strictObject({
  join: Paths,
  with: v.exactOptional(v.pipe(v.string('"with" must be a string.'), v.maxLength(NAME_MAX_CODE_POINTS))),
});
const Texts = mappedFieldSchema(v.union([Path, Joined], 'A path must be a string, or {"join": [paths]}.'));
const Word = textSchema("A word", NAME_MAX_CODE_POINTS);

/** The state applies if the text at `path` is in the list `is`. */
const State = v.strictObject({
  path: Path,
  is: v.pipe(
    v.array(Word, '"is" must be a list of texts.'),
    v.minLength(1, '"is" must have at least one text.'),
    v.maxLength(MAPPED_WORDS_MAX, `"is" must have at most ${MAPPED_WORDS_MAX} strings.`),
  ),
});

/** If a field has several paths, the first path with a text counts. */
export const Mapping = v.strictObject({
  /** The first part of event keys: with `datadog`, the event keys are `datadog.firing` and `datadog.resolved`. */
  resource: Resource,
  /** Whether the payload is a list of messages. */
  each: v.exactOptional(v.literal(true, '"each" must be true, or left out.')),
  /** The path of a list of alerts. The mapping's other paths are searched in each alert of the list, then in the payload. */
  alerts: v.exactOptional(Path),
  title: Texts,
  body: v.exactOptional(Texts),
  detail: v.exactOptional(Texts),
  url: v.exactOptional(Paths),
  priority: v.exactOptional(Paths),
  /** The tool's words for priorities, in addition to `critical`, `error`, `P3` and so on. */
  priorities: v.exactOptional(
    v.pipe(
      v.record(Word, PrioritySpelling),
      v.maxEntries(MAPPED_WORDS_MAX, `priorities must have at most ${MAPPED_WORDS_MAX} words.`),
    ),
  ),
  /** The texts that together identify an alert. */
  dedupeKey: v.exactOptional(Paths),
  /** The time of the change, as ISO 8601, or in seconds or milliseconds since 1970. */
  changedAt: v.exactOptional(Paths),
  /** The state of messages that start an alert. By default, messages that are neither `resolved` nor `ignored` start an alert. */
  firing: v.exactOptional(State),
  resolved: v.exactOptional(State),
  /** The state of messages that create no event, even if `firing` or `resolved` also applies. */
  ignored: v.exactOptional(State),
});
export type Mapping = v.InferOutput<typeof Mapping>;
