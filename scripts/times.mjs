// npm test -- --times: what the time goes to. Jest's part comes from test/support/service/times.ts, the rules
// of lint from its own TIMING.
const PARTS = ['loading', 'service', 'database', 'hashing', 'requests', 'waiting', 'processes'];
const MOST_FILES = 40;

/** One row for each kind of test, and one for each of the slowest files; "rest" is the test's own work. */
export function printTimes(results) {
  const rows = [];
  const files = results.flatMap(({ title, tests }) =>
    (tests?.files ?? []).map((file) => ({ title, ...file })),
  );
  for (const title of new Set(files.map((file) => file.title)))
    rows.push(
      sumOf(
        title,
        files.filter((file) => file.title === title),
      ),
    );
  const slowest = [...files].sort((one, other) => other.seconds - one.seconds).slice(0, MOST_FILES);
  rows.push(...slowest.map((file) => sumOf(file.file, [file])));
  const head = ['seconds', ...PARTS, 'rest', 'processor'].map((word) => word.padStart(10)).join('');
  console.log(`\nWhat the time of tests goes to, in seconds\n${head}`);
  for (const { name, values } of rows)
    console.log(`${values.map((value) => value.toFixed(1).padStart(10)).join('')}  ${name}`);
}

function sumOf(name, files) {
  const sum = (valueOf) => files.reduce((total, file) => total + (valueOf(file) ?? 0), 0);
  const seconds = sum((file) => file.seconds);
  const parts = PARTS.map((part) => sum((file) => file.spent?.[part]) / 1000);
  const rest = seconds - parts.reduce((total, part) => total + part, 0);
  return { name, values: [seconds, ...parts, rest, sum((file) => file.processor) / 1000] };
}
