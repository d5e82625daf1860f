import { randomBytes } from "node:crypto";
import { randomChars, type IdPrefix } from "./domain/basics/ids.ts";

const ID_BYTES = 10;

export const newId = (prefix: IdPrefix): string => `${prefix}_${randomChars(randomBytes(ID_BYTES))}`;
