import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { areas } from "./areas.ts";

const Score = v.object({ mutants: v.number(), caught: v.number() });
export type Score = v.InferOutput<typeof Score>;
/** The scores by area, with the days when they were measured (UTC). */
export const Scores = v.record(v.string(), v.object({ ...Score.entries, measured: v.optional(v.string()) }));
export type Scores = v.InferOutput<typeof Scores>;

export const SCORES = fileURLToPath(new URL("kept-scores.json", import.meta.url));
export const PAGE = fileURLToPath(new URL("../../docs/promises.md", import.meta.url));
export const BEGIN = "<!-- mutation: written by npm run test:mutation -- --write -->";
export const END = "<!-- end of mutation -->";

export const toPercent = ({ mutants, caught }: Score): number => (mutants === 0 ? 100 : (100 * caught) / mutants);
export const formatScore = (score: Score): string => `${toPercent(score).toFixed(1)} %`;

/** Returns a line for each area: the share of caught mutants and the day. An area that was not measured has no share. */
export const formatList = (scores: Scores): string[] =>
  Object.keys(areas).map((name) => {
    const score = scores[name];
    const parts = [score === undefined ? [] : formatScore(score), score?.measured ?? []].flat();
    return `- ${name}: ${parts.join(", ")}`;
  });
