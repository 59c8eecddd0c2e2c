import type { ImportFields } from '../imports/import-kind';
import type { SourceRecord } from './source-record';

const MAX_LENGTH = 60;

/** A reason contains its fields: `name: This value should not be blank.; country: …` */
const FIELD = /(?:^|; )(\w+): /g;

/** Characters that would move the cursor of a terminal. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * Describes a row for a person: `line 54 (id 20052, organisationId 77777)`, with the bad
 * values but without secrets.
 */
export function rowLabel(
  { identity, known, secret }: ImportFields,
  record: SourceRecord,
  reason: string,
): string {
  const values = 'values' in record ? record.values : {};
  const bad = [...reason.matchAll(FIELD)].map(([, name = '']) => name);
  const shown = [...new Set([...identity, ...bad])]
    .filter((name) => known.includes(name) && !secret.includes(name) && Object.hasOwn(values, name))
    .filter((name) => values[name] !== '' && values[name] !== null)
    .map((name) => `${name} ${textOf(values[name])}`);
  return `line ${record.line}${shown.length === 0 ? '' : ` (${shown.join(', ')})`}`;
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' && /^[\w.@+:/-]+$/.test(value) ? value : JSON.stringify(value);
  const safe = text.replaceAll(CONTROLS, '?');
  return safe.length > MAX_LENGTH ? `${safe.slice(0, MAX_LENGTH)}…` : safe;
}
