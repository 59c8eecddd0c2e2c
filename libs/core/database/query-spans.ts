import type { DataSource, QueryRunner } from 'typeorm';
import { currentSpan, endedWith } from '../tracing/current-span';
import type { SpanOptions } from '../tracing/span';
import type { Statement } from './prepared-queries';

const TABLE = String.raw`(?:ONLY\s+)?"?([a-z_][a-z0-9_.]*)`;
const CHANGES = [
  new RegExp(String.raw`\b(INSERT)\s+INTO\s+${TABLE}`, 'i'),
  new RegExp(String.raw`\b(DELETE)\s+FROM\s+${TABLE}`, 'i'),
  new RegExp(String.raw`(?<!\bFOR\s+|\bKEY\s+|\bDO\s+)\b(UPDATE)\s+${TABLE}`, 'i'),
];
const READ = new RegExp(String.raw`(?<!\bDISTINCT\s+)\bFROM\s+${TABLE}`, 'i');
const CALL = /^\s*SELECT\s+([a-z_][a-z0-9_.]*)\(/i;

/** What a statement does to what: no more of its text, and nothing of its values. For people: it guesses. */
export function summaryOf(text: string): { readonly operation: string; readonly summary: string } {
  const [, word = ''] = /^\s*(START TRANSACTION|[a-z]+)/i.exec(text) ?? [];
  const first = word.toUpperCase();
  if (!['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH'].includes(first))
    return { operation: first, summary: first };
  const outer = withoutParentheses(text);
  const [operation, target] =
    first === 'SELECT'
      ? ['SELECT', READ.exec(outer)?.[1] ?? READ.exec(text)?.[1] ?? CALL.exec(text)?.[1]]
      : (changeIn(outer) ?? changeIn(text) ?? ['SELECT', READ.exec(text)?.[1]]);
  return { operation, summary: target === undefined ? operation : `${operation} ${target}` };
}

function changeIn(text: string): [operation: string, table: string | undefined] | undefined {
  for (const change of CHANGES) {
    const [, operation, table] = change.exec(text) ?? [];
    if (operation !== undefined) return [operation.toUpperCase(), table];
  }
  return undefined;
}

/** What stands in none: other queries, and functions with a FROM of their own. */
function withoutParentheses(text: string): string {
  for (let outer = text; ;) {
    const less = outer.replaceAll(/\([^()]*\)/g, '#');
    if (less === outer) return outer;
    outer = less;
  }
}

function optionsOf(operation: string, summary: string): SpanOptions {
  return {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
    },
  };
}

/** Tells the trace of the running work, where it is in one, of a statement that has just been sent. */
export function tracedQuery<Result>(statement: Statement, result: Promise<Result>): Promise<Result> {
  const parent = currentSpan();
  if (parent?.isRecording !== true) return result;
  const { operation, summary } = summaryOf(statement.text);
  const name = statement.summary ?? summary;
  return endedWith(parent.child(name, optionsOf(operation, name)), result);
}

/** Lets every statement of TypeORM's be told, in transactions and outside of them; where traces are sent. */
export function traceQueryRunners(dataSource: DataSource): void {
  const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = createQueryRunner(mode);
    const query: QueryRunner['query'] = runner.query.bind(runner);
    const traced = (...[text, ...rest]: Parameters<QueryRunner['query']>): Promise<unknown> =>
      tracedQuery({ text }, query(text, ...rest));
    runner.query = traced as QueryRunner['query'];
    return runner;
  };
}
