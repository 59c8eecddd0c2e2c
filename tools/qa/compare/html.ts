import {
  type CompareReport,
  countLines,
  curlOf,
  KIND_WORDS,
  type OperationReport,
  type Remarks,
  valueTexts,
} from './report';
import type { Difference } from './tallies';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters have no place in a page. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --good: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --bad: #f2b8b5; --good: #8fd6a5; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
.verdict { font-size: 1.2rem; font-weight: 600; } .bad { color: var(--bad); } .good { color: var(--good); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.5rem; text-align: right; white-space: nowrap; }
th { vertical-align: bottom; white-space: normal; }
th:first-child, td:first-child { text-align: left; }
@media (max-width: 50rem) {
  th, td { padding: 0.35rem 0.2rem; }
  td:first-child { min-width: 8rem; overflow-wrap: anywhere; white-space: normal; }
}
section { border: 1px solid var(--line); border-radius: 0.5rem; margin: 1rem 0; padding: 0.75rem 1rem; }
section h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0; }
dt { font-weight: 600; } dd { margin: 0; } code { font-size: 0.9rem; overflow-wrap: anywhere; }
`;

/** One page, which needs nothing else and runs no script, for somebody who decides about the switch. */
export function htmlOf(report: CompareReport, remarks: Remarks): string {
  const { total, operations, differences } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>The old server and the new one, compared</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The old server and the new one, compared</h1>
<p>Old: <code>${escaped(report.old)}</code><br>New: <code>${escaped(report.new)}</code></p>
${verdictOf(report)}
<p>${total.sent} requests went to both servers. ${total.equal} answers were equal. ${total.noise} differed only in what
is different each time, such as the moment of the answer. ${total.different} were different. ${total.skipped} requests
were not sent.</p>
${[...countLines(remarks), ...remarks.endings]
  .filter((line) => line !== '')
  .map((line) => `<p>${escaped(line)}</p>`)
  .join('\n')}
<h2>By operation</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table by operation"><table>
<thead><tr><th scope="col">Operation</th><th scope="col">Sent</th><th scope="col">Equal</th><th scope="col">Noise</th>
<th scope="col">Different</th><th scope="col">Skipped</th><th scope="col">Old, 50 % within ms</th>
<th scope="col">Old, 95 % within ms</th><th scope="col">New, 50 % within ms</th>
<th scope="col">New, 95 % within ms</th></tr></thead>
<tbody>
${operations.map(rowOf).join('\n')}
</tbody></table></div>
<h2>Differences (${differences.length})</h2>
${differences.length === 0 ? '<p>None.</p>' : differences.map((one) => sectionOf(one, remarks)).join('\n')}
</main>
</body>
</html>
`;
}

function verdictOf({ total, differences }: CompareReport): string {
  if (total.sent === 0) return '<p class="verdict bad">Nothing was compared.</p>';
  return differences.length === 0
    ? '<p class="verdict good">No difference was found.</p>'
    : `<p class="verdict bad">${differences.length} ${differences.length === 1 ? 'kind' : 'kinds'} of differences were found.</p>`;
}

function rowOf({ operation, sent, equal, noise, different, skipped, oldMs, newMs }: OperationReport): string {
  const times = [oldMs.p50, oldMs.p95, newMs.p50, newMs.p95].map((time) => String(time ?? '–'));
  const mark = different > 0 ? ' class="bad"' : '';
  return (
    `<tr><td><code>${escaped(operation)}</code></td><td>${sent}</td><td>${equal}</td><td>${noise}</td>` +
    `<td${mark}>${different}</td><td>${skipped}</td>${times.map((time) => `<td>${time}</td>`).join('')}</tr>`
  );
}

function sectionOf(difference: Difference, remarks: Remarks): string {
  const { operation, kind, at, count } = difference;
  const [old, fresh] = valueTexts(difference);
  return `<section>
<h3><code>${escaped(operation)}</code></h3>
<dl>
<dt>What</dt><dd>${escaped(KIND_WORDS[kind])}${at === '' ? '' : `: <code>${escaped(at)}</code>`}</dd>
<dt>Old</dt><dd><code>${escaped(old)}</code></dd>
<dt>New</dt><dd><code>${escaped(fresh)}</code></dd>
<dt>How often</dt><dd>${count} ${count === 1 ? 'request' : 'requests'}</dd>
<dt>Repeat</dt><dd><code>${escaped(curlOf(difference, remarks))}</code></dd>
</dl>
</section>`;
}
