import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts.ts";

export type Source = NonNullable<Answers["ApiKey"]["source"]>;

export const tools: Readonly<Record<Source, string>> = texts.tools;
export const isSource = (name: string): name is Source => Object.hasOwn(tools, name);
export const sources = Object.keys(tools).filter(isSource);
