import { grouped } from '../grouped';
import { printable, printableJson } from '../terminal';
import { Accepted, type AcceptedDifference } from './accepted';
import type { ServerAddress } from './addresses';
import type { Kind } from './differences';
import type { SideName } from './logins';
import type { Difference, OperationTally, SkipReason, Tallies } from './tallies';

export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
}

interface Counts {
  readonly sent: number;
  readonly equal: number;
  readonly noise: number;
  readonly different: number;
  readonly skipped: number;
}

export interface OperationReport extends Counts {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly oldMs: Percentiles;
  readonly newMs: Percentiles;
}

export interface ReportedDifference extends Difference {
  /** The reason for which it was accepted; null: it is new. */
  readonly accepted: string | null;
}

/** What scripts read: names and order are those of the documentation. */
export interface CompareReport {
  readonly old: string;
  readonly new: string;
  readonly total: Counts;
  readonly operations: readonly OperationReport[];
  readonly differences: readonly ReportedDifference[];
  /** Accepted differences of what was sent that no longer occur. */
  readonly gone: readonly AcceptedDifference[];
}

/** What people are told beside it. */
export interface Remarks {
  readonly skipped: readonly (readonly [SkipReason, number])[];
  /** What the old server answered; null where it gave no answer. */
  readonly statuses: readonly (readonly [status: number | null, count: number])[];
  /** Why the run ended before the end of its file. */
  readonly endings: readonly string[];
  /** Differences of kinds beyond those that are kept. */
  readonly dropped: number;
  /** Where requests are repeated. */
  readonly address: ServerAddress;
  /** Operations whose paths count from the server, not from the address. */
  readonly besideAddress: ReadonlySet<string>;
}

const MEDIAN = 0.5;
const MOST = 0.95;

const percentilesOf = ({ ms }: OperationTally, side: SideName): Percentiles => ({
  p50: ms[side].percentile(MEDIAN),
  p95: ms[side].percentile(MOST),
});

const byName = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Puts what was counted together. An operation is slow when half of its answers are. */
export function reportOf(
  tallies: Tallies,
  addresses: Readonly<Record<SideName, ServerAddress>>,
  slowerThan: number | undefined,
  accepted = new Accepted(),
): CompareReport {
  const tallied = [...tallies.operations.values()].sort(
    (one, other) => byName(one.path, other.path) || byName(one.method, other.method),
  );
  const slow = slowerThan === undefined ? [] : tallied.filter((tally) => isSlow(tally, slowerThan));
  const operations = tallied.map((tally) => operationReport(tally, slow.includes(tally)));
  const differences = [...tallies.differences.values(), ...slow.map(slowDifference)];
  const places = new Map(operations.map(({ operation }, index) => [operation, index]));
  const placeOf = ({ operation }: Difference) => places.get(operation) ?? places.size;
  const sorted = differences.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || byName(one.at, other.at) || byName(one.kind, other.kind),
  );
  const sent = operations.filter((one) => one.sent > 0).map(({ operation }) => operation);
  return {
    old: addresses.old.text,
    new: addresses.new.text,
    total: totalOf(tallies, slow),
    operations,
    differences: sorted.map((one) => ({ ...one, accepted: accepted.reasonFor(one) ?? null })),
    gone: accepted.gone(sorted, new Set(sent)),
  };
}

function isSlow(tally: OperationTally, slowerThan: number): boolean {
  const [old, fresh] = [percentilesOf(tally, 'old').p50, percentilesOf(tally, 'new').p50];
  return old !== null && fresh !== null && fresh > old * slowerThan && slowCount(tally) * 2 >= tally.sent;
}

const slowCount = ({ slow }: OperationTally): number => slow.equal + slow.noise + slow.different;

/** Requests of a slow operation that are different for nothing else. */
const onlySlow = ({ slow }: OperationTally): number => slow.equal + slow.noise;

function operationReport(tally: OperationTally, isSlowOne: boolean): OperationReport {
  const { operation, method, path, sent, skipped, slow } = tally;
  const { equal, noise, different } = tally;
  return {
    operation,
    method,
    path,
    sent,
    equal: isSlowOne ? equal - slow.equal : equal,
    noise: isSlowOne ? noise - slow.noise : noise,
    different: isSlowOne ? different + onlySlow(tally) : different,
    skipped,
    oldMs: percentilesOf(tally, 'old'),
    newMs: percentilesOf(tally, 'new'),
  };
}

function totalOf({ total }: Tallies, slow: readonly OperationTally[]): Counts {
  const sum = (numberOf: (tally: OperationTally) => number) =>
    slow.reduce((amount, tally) => amount + numberOf(tally), 0);
  return {
    sent: total.sent,
    equal: total.equal - sum((tally) => tally.slow.equal),
    noise: total.noise - sum((tally) => tally.slow.noise),
    different: total.different + sum(onlySlow),
    skipped: total.skipped,
  };
}

function slowDifference(tally: OperationTally): Difference {
  const { operation, method, path, example = { method, path, as: null } } = tally;
  const [old, fresh] = [percentilesOf(tally, 'old').p50, percentilesOf(tally, 'new').p50];
  return { operation, kind: 'slow', at: '', old, new: fresh, count: slowCount(tally), example };
}

/** For scripts. */
export const jsonOf = (report: CompareReport): string => printableJson(report, 2);

/** What each kind of difference says to a person. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  status: 'another status',
  header: 'another header',
  type: 'another JSON type',
  value: 'another value',
  absent: 'the new server lacks it',
  added: 'only the new server has it',
  order: 'another order',
  body: 'another body',
  slow: 'the new server is slow',
};

/** One line for people: a difference of one operation, or of many that have it in the same way. */
export interface Row {
  readonly difference: ReportedDifference;
  readonly operations: readonly string[];
  /** Requests of all these operations that show it. */
  readonly count: number;
}

/** The lines of one operation; without one, those that many operations share. */
export interface Group {
  readonly operation?: string;
  readonly rows: readonly Row[];
  /** Requests in which something of it is different. */
  readonly weight: number;
}

/** Operations from which on a difference has one line for all of them. */
const MANY_OPERATIONS = 3;

/** What is new, by operation: what many share comes first, then the operations by their weight. */
export function groupsOf({ differences, operations }: CompareReport): Group[] {
  const news = differences.filter(({ accepted }) => accepted === null);
  const alike = grouped(news, shapeOf);
  const rows = [...alike.values()].flatMap((ones) =>
    ones.length >= MANY_OPERATIONS ? [rowOf(ones)] : ones.map((one) => rowOf([one])),
  );
  const shared = byWeight(rows.filter((row) => row.operations.length > 1));
  const own = grouped(
    rows.filter((row) => row.operations.length === 1),
    ({ operations: [operation = ''] }) => operation,
  );
  const weights = new Map(operations.map(({ operation, different }) => [operation, different]));
  const groups = [...own].map(([operation, ofOperation]) => ({
    operation,
    rows: byWeight(ofOperation),
    weight: weights.get(operation) ?? 0,
  }));
  groups.sort((one, other) => other.weight - one.weight);
  const sum = shared.reduce((total, { count }) => total + count, 0);
  return shared.length === 0 ? groups : [{ rows: shared, weight: sum }, ...groups];
}

const byWeight = (rows: readonly Row[]): Row[] => rows.toSorted((one, other) => other.count - one.count);

const typeName = (value: unknown): string => (value === null ? 'null' : typeof value);

/** What makes differences of several operations the same one; values are those of each. */
const shapeOf = ({ kind, at, old, new: fresh }: Difference): string =>
  JSON.stringify([
    kind,
    at,
    ...(kind === 'status' ? [old, fresh] : kind === 'type' ? [typeName(old), typeName(fresh)] : []),
  ]);

const rowOf = (ones: readonly ReportedDifference[]): Row => ({
  difference: ones[0] as ReportedDifference,
  operations: ones.map(({ operation }) => operation),
  count: ones.reduce((sum, { count }) => sum + count, 0),
});

/** How often something occurs, in words. */
export const times = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The values of both sides as they stand in a text. */
export function valueTexts({ kind, old, new: fresh }: Difference): readonly [old: string, fresh: string] {
  const text = (value: unknown, isNothing: boolean) => (isNothing ? 'nothing' : printableJson(value));
  const isHeader = kind === 'header';
  return [
    text(old, kind === 'added' || (isHeader && old === null)),
    text(fresh, kind === 'absent' || (isHeader && fresh === null)),
  ];
}

/** A line to repeat a request; whoever repeats it has the credential. */
export function curlOf({ operation, example }: Difference, { address, besideAddress }: Remarks): string {
  const { method, path, as } = example;
  const url = `${address.origin}${address.pathOf(path, besideAddress.has(operation))}`;
  // curl takes brackets for a list of addresses.
  const brackets = /[[\]{}]/.test(url) ? ' --globoff' : '';
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`;
  const credential = as === null ? '' : ' -H "Authorization: $CREDENTIAL"';
  const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? '' : ' --json @body.json';
  return `curl -i${brackets}${verb}${credential}${body} ${quoted(url)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const NUMBER_WIDTH = 10;
const MS_WIDTH = 9;

/** The table by operation, and each kind of difference, for people. */
export function tableOf(report: CompareReport, remarks: Remarks): string {
  const { operations, total } = report;
  const width = Math.max('operation'.length, ...operations.map(({ operation }) => operation.length)) + 2;
  const line = (name: string, cells: readonly (string | number)[], times: readonly (string | number)[]) =>
    [
      name.padEnd(width),
      ...cells.map((cell) => String(cell).padStart(NUMBER_WIDTH)),
      ...times.map((time) => String(time).padStart(MS_WIDTH)),
    ].join('');
  const countsOf = ({ sent, equal, noise, different, skipped }: Counts) => [
    sent,
    equal,
    noise,
    different,
    skipped,
  ];
  return [
    `old: ${report.old}`,
    `new: ${report.new}`,
    '',
    line(
      'operation',
      ['sent', 'equal', 'noise', 'different', 'skipped'],
      ['old p50', 'p95', 'new p50', 'p95 ms'],
    ),
    ...operations.map((one) => line(one.operation, countsOf(one), timesOf(one))),
    line('total', countsOf(total), []),
    ...groupsOf(report).flatMap((group) => ['', ...groupLines(group, remarks)]),
    ...acceptedLines(report),
    ...countLines(remarks),
  ]
    .map(printable)
    .join('\n');
}

const timesOf = ({ oldMs, newMs }: OperationReport): (string | number)[] =>
  [oldMs.p50, oldMs.p95, newMs.p50, newMs.p95].map((time) => time ?? '–');

/** The head of the lines of a group. */
export const titleOf = ({ operation, weight }: Group): string =>
  operation === undefined ? 'In many operations' : `${operation}: ${times(weight, 'request')}`;

const groupLines = (group: Group, remarks: Remarks): string[] => [
  titleOf(group),
  ...group.rows.flatMap((row) => rowLines(row, remarks)),
];

const rowLines = ({ difference, operations, count }: Row, remarks: Remarks): string[] => {
  const { kind, at } = difference;
  const [old, fresh] = valueTexts(difference);
  const many = operations.length === 1 ? '' : ` of ${operations.length} operations: ${operations.join(', ')}`;
  return [
    `${`  ${kind} ${at}`.trimEnd()}: ${KIND_WORDS[kind]}, in ${times(count, 'request')}${many}`,
    `    old: ${old}`,
    `    new: ${fresh}`,
    `    ${curlOf(difference, remarks)}`,
  ];
};

/** A difference in one line. */
export const nameOf = ({ operation, kind, at }: Pick<Difference, 'operation' | 'kind' | 'at'>): string =>
  `${operation} ${kind} ${at}`.trimEnd();

/** A line for each accepted difference, and for each that is no longer there. */
function acceptedLines({ differences, gone }: CompareReport): string[] {
  const accepted = differences.filter((one) => one.accepted !== null);
  return [
    ...(accepted.length === 0 ? [] : ['', `Accepted (${accepted.length}):`]),
    ...accepted.map((one) => `  ${nameOf(one)}, in ${times(one.count, 'request')}: ${one.accepted}`),
    ...(gone.length === 0 ? [] : ['', `Accepted, and no longer there (${gone.length}):`]),
    ...gone.map((one) => `  ${nameOf(one)}: ${one.reason}`),
  ];
}

/** What was answered, so that nobody takes a thousand refusals for a comparison, and what was skipped. */
export function countLines({ statuses, skipped, dropped }: Remarks): string[] {
  const answers = statuses
    .toSorted(([one], [other]) => (one ?? 0) - (other ?? 0))
    .map(([status, count]) => `${status ?? 'no answer'} (${count})`);
  const reasons = skipped.map(([reason, count]) => `${reason} (${count})`);
  return [
    ...(answers.length === 0 ? [] : ['', `Statuses of the old side: ${answers.join(', ')}`]),
    ...(reasons.length === 0 ? [] : ['', `Skipped: ${reasons.join(', ')}`]),
    ...(dropped === 0 ? [] : ['', `${dropped} differences of further kinds are counted, but not shown.`]),
  ];
}
