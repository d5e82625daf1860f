import { opened } from "./paths.ts";

/** The content type of a form. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Whether a text can be JSON: senders of JSON often use a form's content type, as curl does. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** The fields of a form: texts, a list if a name comes more than once, and parsed JSON if a field contains that. */
export const readForm = (text: string): object => {
  const form = new URLSearchParams(text.trim());
  const fields = [...new Set(form.keys())].map((name): [string, unknown] => {
    const values = form.getAll(name).map(opened);
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(fields);
};
