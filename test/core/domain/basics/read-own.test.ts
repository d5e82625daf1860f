import * as v from "valibot";
import { expect, it } from "vitest";
import { readOwn } from "../../../../core/domain/basics/read-own.ts";

const Note = v.pipe(v.string(), v.parseJson(), v.object({ to: v.string(), text: v.object({ title: v.string() }) }));

it("gives what fits", () => {
  const note = { to: "usr_1", text: { title: "canary" } };

  expect(readOwn("the note", Note, JSON.stringify(note))).toEqual(note);
});

it("names every place that does not fit, once, and quotes nothing of it", () => {
  const read = () => readOwn("the note", Note, '{"to":7,"text":{"title":["canary"]}}');

  expect(read).toThrow(/^the note is not readable at to, text\.title$/);
});

it("names the place of invalid JSON and does not quote it", () => {
  expect(() => readOwn("the note", Note, "canary")).toThrow(/^the note is not readable at its root$/);
});
