import type { People } from "./server.ts";
import { escapeMarkup } from "../../core/domain/basics/markup.ts";

const pageOf = (body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in, on this machine</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; }
  main { display: grid; gap: 1rem 2rem; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
  h2 { font-size: 15px; }
  form { margin: .25rem 0; }
  button, input { font: inherit; min-height: 44px; padding: .25rem .75rem; }
  main button { width: 100%; text-align: start; }
</style>
<h1>Sign in, on this machine</h1>
${body}
</html>
`;

const hidden = (fields: Iterable<readonly [string, string]>): string =>
  [...fields]
    .map(([field, value]) => `<input type="hidden" name="${escapeMarkup(field)}" value="${escapeMarkup(value)}">`)
    .join("");

/** Stands in for the user pool's page: one button per person. `addressOf` gives the link for an e-mail address. */
export const signInPage = (companies: People, addressOf: (email: string) => string): string => {
  const groups = companies.map(({ company, people }) => {
    const buttons = people.map(
      ({ name, email }) =>
        `<form>${hidden(new URLSearchParams(addressOf(email)))}<button>${escapeMarkup(name)} (${escapeMarkup(email)})</button></form>`,
    );
    return `<section><h2>${escapeMarkup(company)}</h2>${buttons.join("")}</section>`;
  });
  return pageOf(`<p>Stands for the user pool's page. There are no passwords: who are you?</p>
<main>${groups.join("")}</main>`);
};

/** Asks for the password of an authenticator app; of one that is to be set up, if there is a secret. */
export const secondFactorPage = (query: Iterable<readonly [string, string]>, secret?: string): string =>
  pageOf(`${secret === undefined ? "" : `<p>A second factor is required here. Key for your authenticator app: <code>${secret}</code></p>`}
<form>${hidden(query)}
<label>Code of your authenticator app <input name="totp" inputmode="numeric" autocomplete="one-time-code" autofocus></label>
<button>Sign in</button></form>`);
