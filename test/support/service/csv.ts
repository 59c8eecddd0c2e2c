import type { Test } from 'supertest';
import type { ApiClient } from './client';

/** An independent reader of RFC 4180: the records of a text with CRLF line ends. */
export function csvRecords(text: string): string[][] {
  const found: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const [, content = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`not csv at ${cell.lastIndex}`);
    found.at(-1)?.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content);
    if (end === '\r\n') found.push([]);
  }
  return found.filter((record) => record.length > 0);
}

/** The rows of a csv text by the names of its header. */
export function csvRows(text: string): Record<string, string>[] {
  const [header = [], ...rows] = csvRecords(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? 'missing'])));
}

/** Asks for csv. */
export const inCsv = (client: ApiClient, path: string): Test => client.get(path).set('Accept', 'text/csv');
