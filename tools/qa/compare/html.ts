import { printable } from '../terminal';
import {
  type CompareReport,
  countLines,
  curlOf,
  type Group,
  groupsOf,
  KIND_WORDS,
  nameOf,
  type OperationReport,
  type Remarks,
  type Row,
  times,
  titleOf,
  valueTexts,
} from './report';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  printable(text).replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --good: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --bad: #f2b8b5; --good: #8fd6a5; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.25rem; overflow-wrap: anywhere; }
.verdict { font-size: 1.2rem; font-weight: 600; } .bad { color: var(--bad); } .good { color: var(--good); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.5rem; text-align: left; vertical-align: top; }
th { vertical-align: bottom; } td { overflow-wrap: anywhere; }
.counts th + th, .counts td + td { text-align: right; } .counts td + td { white-space: nowrap; }
.counts td:first-child { min-width: 8rem; }
.found { table-layout: fixed; } .found th:nth-child(1) { width: 40%; } .found th:nth-child(4) { width: 6rem; }
code { font-size: 0.9rem; overflow-wrap: anywhere; } summary { cursor: pointer; }
ol { padding-left: 2rem; } li { overflow-wrap: anywhere; }
@media (max-width: 50rem) {
  .counts th, .counts td { padding: 0.35rem 0.2rem; }
  .found, .found tbody, .found tr, .found td { display: block; } .found thead { display: none; }
  .found tr { border-bottom: 1px solid var(--line); padding: 0.35rem 0; } .found td { border: 0; padding: 0; }
  .found td[data-head]::before { content: attr(data-head) ": "; font-weight: 600; }
}
`;

/** One page, which needs nothing else and runs no script, for somebody who decides about the switch. */
export function htmlOf(report: CompareReport, remarks: Remarks): string {
  const { total, operations } = report;
  const groups = groupsOf(report);
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
${contentsOf(groups)}
${groups.map((group, index) => sectionOf(group, index, remarks)).join('\n')}
${acceptedOf(report)}
<h2>All operations</h2>
<details><summary>${times(operations.length, 'operation')}, with counts and milliseconds</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Table by operation"><table class="counts">
<thead><tr><th scope="col">Operation</th><th scope="col">Sent</th><th scope="col">Equal</th><th scope="col">Noise</th>
<th scope="col">Different</th><th scope="col">Skipped</th><th scope="col">Old, 50 % within ms</th>
<th scope="col">Old, 95 % within ms</th><th scope="col">New, 50 % within ms</th>
<th scope="col">New, 95 % within ms</th></tr></thead>
<tbody>
${operations.map(rowOf).join('\n')}
</tbody></table></div></details>
</main>
</body>
</html>
`;
}

function verdictOf({ total, differences }: CompareReport): string {
  if (total.sent === 0) return '<p class="verdict bad">Nothing was compared.</p>';
  if (differences.length === 0) return '<p class="verdict good">No difference was found.</p>';
  const news = differences.filter(({ accepted }) => accepted === null).length;
  const known = differences.length - news;
  const rest = known === 0 ? '' : ` ${known} ${known === 1 ? 'is' : 'are'} accepted.`;
  return news === 0
    ? `<p class="verdict good">Nothing new was found.${rest}</p>`
    : `<p class="verdict bad">${news} ${news === 1 ? 'kind' : 'kinds'} of differences were found.${rest}</p>`;
}

/** What weighs most stands first. */
const contentsOf = (groups: readonly Group[]): string =>
  groups.length === 0
    ? ''
    : `<h2>Contents</h2>
<ol>
${groups
  .map(
    (group, index) =>
      `<li><a href="#d${index}">${escaped(titleOf(group))}</a>, ${times(group.rows.length, 'difference')}</li>`,
  )
  .join('\n')}
</ol>
<h2>Differences</h2>`;

function sectionOf(group: Group, index: number, remarks: Remarks): string {
  return `<h3 id="d${index}">${escaped(titleOf(group))}</h3>
<table class="found"><thead><tr><th scope="col">What</th><th scope="col">Old</th><th scope="col">New</th>
<th scope="col">Requests</th></tr></thead>
<tbody>
${group.rows.map((row) => differenceOf(row, remarks)).join('\n')}
</tbody></table>`;
}

function differenceOf({ difference, operations, count }: Row, remarks: Remarks): string {
  const { kind, at } = difference;
  const [old, fresh] = valueTexts(difference);
  const many =
    operations.length === 1
      ? ''
      : `<details><summary>In ${operations.length} operations</summary>${operations
          .map((operation) => `<code>${escaped(operation)}</code>`)
          .join('<br>')}</details>`;
  return (
    `<tr><td>${escaped(KIND_WORDS[kind])}${at === '' ? '' : `: <code>${escaped(at)}</code>`}${many}` +
    `<details><summary>Repeat</summary><code>${escaped(curlOf(difference, remarks))}</code></details></td>` +
    `<td data-head="Old"><code>${escaped(old)}</code></td><td data-head="New"><code>${escaped(fresh)}</code></td>` +
    `<td data-head="Requests">${count}</td></tr>`
  );
}

function acceptedOf({ differences, gone }: CompareReport): string {
  const known = differences.filter(({ accepted }) => accepted !== null);
  const line = (name: string, reason: string) => `<li><code>${escaped(name)}</code>: ${escaped(reason)}</li>`;
  const listOf = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `<h2>${title} (${lines.length})</h2>\n<ul>\n${lines.join('\n')}\n</ul>`;
  return [
    listOf(
      'Accepted',
      known.map((one) => line(nameOf(one), `${one.accepted} (${times(one.count, 'request')})`)),
    ),
    listOf(
      'Accepted, and no longer there',
      gone.map((one) => line(nameOf(one), one.reason)),
    ),
  ].join('\n');
}

function rowOf({ operation, sent, equal, noise, different, skipped, oldMs, newMs }: OperationReport): string {
  const milliseconds = [oldMs.p50, oldMs.p95, newMs.p50, newMs.p95].map((time) => String(time ?? '–'));
  const mark = different > 0 ? ' class="bad"' : '';
  return (
    `<tr><td><code>${escaped(operation)}</code></td><td>${sent}</td><td>${equal}</td><td>${noise}</td>` +
    `<td${mark}>${different}</td><td>${skipped}</td>${milliseconds.map((time) => `<td>${time}</td>`).join('')}</tr>`
  );
}
