import { escapeMarkup } from "../core/domain/basics/markup.ts";
/** Renders the workbench as plain HTML. Escapes texts from outside. */
export const renderWorkbenchPage = ({
  baseUrl,
  inboxUrl,
  curl,
}: {
  baseUrl: string;
  inboxUrl: string;
  curl: string;
}): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Workbench: event alerting on this machine</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
  pre { padding: .75rem; border: 1px solid #8888; border-radius: .4rem; overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font: 13px/1.6 ui-monospace, monospace; }
  td { padding: 0 .75rem 0 0; vertical-align: top; overflow-wrap: anywhere; }
  td:first-child, td:nth-child(2) { white-space: nowrap; }
  .good { color: #15803d; } .problem { color: #dc2626; font-weight: 600; }
</style>
<h1>Workbench</h1>
<p>The <a href="${escapeMarkup(baseUrl)}">console</a> and the API are at <code>${escapeMarkup(baseUrl)}</code>. Send an event to the demo workspace:</p>
<pre id="curl">${escapeMarkup(curl)}</pre>
<p><button id="copy">Copy</button></p>
<p>See <a href="${escapeMarkup(inboxUrl)}">what the phones got</a>, <a href="meters">what it cost</a>,
<a href="grants">permissions that nobody has needed</a>, <a href="queues">the queues</a>.
The API is described <a href="${escapeMarkup(baseUrl)}/docs">here</a>, for programs in
<a href="${escapeMarkup(baseUrl)}/openapi.json">openapi.json</a>.</p>
<h2>What happens</h2>
<table><tbody id="feed"></tbody></table>
<script>
  const feed = document.getElementById("feed");
  let last = 0;
  new EventSource("feed").onmessage = ({ data }) => {
    const entry = JSON.parse(data);
    // After an interruption, the stream repeats entries, which are ignored. A restarted service counts entries from 1.
    if (entry.id <= last && entry.id !== 1) return;
    last = entry.id;
    const row = feed.insertRow(0);
    row.className = entry.level;
    for (const text of [entry.at.slice(11, 23), entry.source, entry.text]) row.insertCell().textContent = text;
    while (feed.rows.length > 300) feed.deleteRow(-1);
  };
  document.getElementById("copy").onclick = () =>
    navigator.clipboard.writeText(document.getElementById("curl").textContent);
</script>
</html>
`;
