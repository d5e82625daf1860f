import type { People } from "./server.ts";

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Stands in for the user pool's page: one button per person. `addressOf` gives the link for an e-mail address. */
export const signInPage = (companies: People, addressOf: (email: string) => string): string => {
  const groups = companies.map(({ company, people }) => {
    const buttons = people.map(({ name, email }) => {
      const fields = [...new URLSearchParams(addressOf(email))].map(
        ([field, value]) => `<input type="hidden" name="${escape(field)}" value="${escape(value)}">`,
      );
      return `<form>${fields.join("")}<button>${escape(name)} (${escape(email)})</button></form>`;
    });
    return `<section><h2>${escape(company)}</h2>${buttons.join("")}</section>`;
  });
  return `<!doctype html>
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
  button { font: inherit; width: 100%; min-height: 44px; text-align: start; padding: .25rem .75rem; }
</style>
<h1>Sign in, on this machine</h1>
<p>Stands for the user pool's page. There are no passwords: who are you?</p>
<main>${groups.join("")}</main>
</html>
`;
};
