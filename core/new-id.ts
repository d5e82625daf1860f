import { randomBytes } from "node:crypto";
import { toBase32Chars, type IdPrefix } from "./domain/basics/ids.ts";

const ID_BYTES = 10;

export const newId = <Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` =>
  `${prefix}_${toBase32Chars(randomBytes(ID_BYTES))}`;
