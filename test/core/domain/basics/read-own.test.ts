import * as v from "valibot";
import { expect, it } from "vitest";
import { parseOrThrow } from "../../../../core/domain/basics/read-own.ts";

const Note = v.pipe(v.string(), v.parseJson(), v.object({ to: v.string(), text: v.object({ title: v.string() }) }));

it("JSON that the service itself stored is returned if it has the expected shape", () => {
  const note = { to: "usr_1", text: { title: "canary" } };

  expect(parseOrThrow("the note", Note, JSON.stringify(note))).toEqual(note);
});

it("the error about stored JSON of a wrong shape names each wrong place once, and quotes no value", () => {
  const readWrongNote = () => parseOrThrow("the note", Note, '{"to":7,"text":{"title":["canary"]}}');

  expect(readWrongNote).toThrow(/^the note is not readable at to, text\.title$/);
});

it("an error about stored text that is not JSON says that the whole text is wrong, and does not quote the text", () => {
  expect(() => parseOrThrow("the note", Note, "canary")).toThrow(/^the note is not readable at its root$/);
});
