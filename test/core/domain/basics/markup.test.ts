import { expect, it } from "vitest";
import { escapeMarkup } from "../../../../core/domain/basics/markup.ts";
import { isWebAddress } from "../../../../core/domain/basics/web-address.ts";

it("a text is escaped for HTML, even if it is already escaped", () => {
  expect(escapeMarkup("<a href=\"x\">A & B > C</a> &amp; 'é'")).toBe(
    "&lt;a href=&quot;x&quot;&gt;A &amp; B &gt; C&lt;/a&gt; &amp;amp; 'é'",
  );
});

it.each([
  ["https://acme.example/a?b#c", true],
  ["http://localhost:3000", true],
  ["HTTPS://ACME.EXAMPLE", true],
  ["javascript:alert(1)", false],
  ["data:text/html,x", false],
  ["ftp://acme.example", false],
  ["acme.example", false],
  ["/events", false],
  ["https://", false],
  ["", false],
])("%j is accepted as a web address: %j", (text, is) => {
  expect(isWebAddress(text)).toBe(is);
});
