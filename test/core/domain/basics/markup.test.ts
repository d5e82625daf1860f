import { expect, it } from "vitest";
import { escapeMarkup } from "../../../../core/domain/basics/markup.ts";
import { isWebAddress } from "../../../../core/domain/basics/web-address.ts";

it("a text is escaped for HTML, even if it is already escaped", () => {
  expect(escapeMarkup("<a href=\"x\">A & B > C</a> &amp; 'é'")).toBe(
    "&lt;a href=&quot;x&quot;&gt;A &amp; B &gt; C&lt;/a&gt; &amp;amp; 'é'",
  );
});

it.each([
  ["https://acme.example/a?b#c", true, "is accepted"],
  ["http://localhost:3000", true, "is accepted"],
  ["HTTPS://ACME.EXAMPLE", true, "is accepted"],
  ["javascript:alert(1)", false, "is not accepted"],
  ["data:text/html,x", false, "is not accepted"],
  ["ftp://acme.example", false, "is not accepted"],
  ["acme.example", false, "is not accepted"],
  ["/events", false, "is not accepted"],
  ["https://", false, "is not accepted"],
  ["", false, "is not accepted"],
])("%j $2 as a web address", (text, is) => {
  expect(isWebAddress(text)).toBe(is);
});
