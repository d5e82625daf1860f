import type { DirectoryPeople } from "./directory.ts";
import { escapeMarkup } from "../../core/domain/basics/markup.ts";

const POOL = "Sign in, on this machine";
const PROVIDER = "Sign in at your company, on this machine";

const renderPage = (body: string, heading = POOL): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${heading}</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; }
  main { display: grid; gap: 1rem 2rem; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
  h2 { font-size: 15px; }
  form { margin: .25rem 0; }
  button, input { font: inherit; min-height: 44px; padding: .25rem .75rem; }
  main button { width: 100%; text-align: start; }
</style>
<h1>${heading}</h1>
${body}
</html>
`;

type Query = Iterable<readonly [string, string]>;

const renderHiddenInputs = (fields: Query): string =>
  [...fields]
    .map(([field, value]) => `<input type="hidden" name="${escapeMarkup(field)}" value="${escapeMarkup(value)}">`)
    .join("");

const renderFormButton = (query: Query, text: string): string =>
  `<form>${renderHiddenInputs(query)}<button>${escapeMarkup(text)}</button></form>`;

/** Renders a button for each provider, and for each person by company. `extendQuery`: adds values to the page's query. */
export const renderSignInPage = (
  companies: DirectoryPeople,
  providers: readonly string[],
  extendQuery: (more: Record<string, string>) => Query,
): string => {
  const elsewhere = providers.map((name) =>
    renderFormButton(extendQuery({ identity_provider: name }), `Sign in with ${name}`),
  );
  const groups = companies.map(({ company, people }) => {
    const buttons = people.map(({ name, email }) => renderFormButton(extendQuery({ as: email }), `${name} (${email})`));
    return `<section><h2>${escapeMarkup(company)}</h2>${buttons.join("")}</section>`;
  });
  return renderPage(`<p>This page stands in for the sign-in page of the user pool. You need no password: choose who you are.</p>
<main>${[...elsewhere, ...groups].join("")}</main>`);
};

const renderUnverifiedMark = (emailVerified: boolean | undefined): string =>
  emailVerified === true ? "" : ", not verified";

/** Renders a button per account. `as`: the requested account, which does not exist; empty if no account was requested. */
export const renderAccountsPage = (
  accounts: readonly { sub: string; name: string; email: string; emailVerified?: boolean | undefined }[],
  as: string,
  extendQuery: (more: Record<string, string>) => Query,
): string => {
  const buttons = accounts.map(({ sub, name, email, emailVerified }) =>
    renderFormButton(extendQuery({ as: sub }), `${name} (${email}${renderUnverifiedMark(emailVerified)})`),
  );
  const missing = as === "" ? "" : `<p>There is no account ${escapeMarkup(as)} any more.</p>`;
  return renderPage(
    `<p>This page stands in for the page of your company's provider. You need no password: choose who you are.</p>${missing}
<main><section>${buttons.join("")}${renderFormButton(extendQuery({ cancel: "yes" }), "Cancel")}</section></main>`,
    PROVIDER,
  );
};

export const renderMessagePage = (message: string): string =>
  renderPage(`<p role="alert">${escapeMarkup(message)}</p>`);

/** Renders a form for a code. `secret`: the secret of an authenticator app that must be set up. */
export const renderSecondFactorPage = (query: Query, secret?: string): string =>
  renderPage(`${secret === undefined ? "" : `<p>A second factor is required here. Key for your authenticator app: <code>${secret}</code></p>`}
<form>${renderHiddenInputs(query)}
<label>Code of your authenticator app <input name="totp" inputmode="numeric" autocomplete="one-time-code" autofocus></label>
<button>Sign in</button></form>`);
