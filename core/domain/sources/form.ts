import { parseNestedJson } from "./paths.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Returns whether a text can be JSON. Senders such as curl often send JSON with a form's content type. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** Reads the fields of a form: a text, a list if a name occurs several times, or parsed JSON if a field contains it. */
export const readForm = (text: string): object => {
  const form = new URLSearchParams(text.trim());
  const fields = [...new Set(form.keys())].map((name): [string, unknown] => {
    const values = form.getAll(name).map(parseNestedJson);
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(fields);
};
