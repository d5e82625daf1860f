import { parseNestedJson } from "./paths.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Returns whether a form's text is JSON instead, because senders such as curl often send JSON with a form's content type. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** Returns the form's fields. A field becomes a text, the JSON that its text contains or, if the field is repeated, a list. */
export const readForm = (text: string): object => {
  const form = new URLSearchParams(text.trim());
  const fields = [...new Set(form.keys())].map((name): [string, unknown] => {
    const values = form.getAll(name).map(parseNestedJson);
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(fields);
};
