import * as v from "valibot";

/** The ways on which people are told; `push` is an app or a browser. */
export const tellingWays = ["push", "email", "sms", "voice"] as const;
const listed = `${tellingWays.slice(0, -1).join(", ")} or ${tellingWays.at(-1)}`;
export const TellingWay = v.picklist(tellingWays, `A way must be ${listed}.`);
export type TellingWay = v.InferOutput<typeof TellingWay>;

const WAYS_MESSAGE = 'ways must be an array of ways, such as ["push"].';
export const TellingWays = v.pipe(
  v.array(TellingWay, WAYS_MESSAGE),
  v.minLength(1, "ways must name at least one way."),
  v.check((ways) => new Set(ways).size === ways.length, "ways must name each way once."),
);
