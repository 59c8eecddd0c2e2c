import { parse } from 'csv-parse/sync';
import type { Test } from 'supertest';
import type { ApiClient } from './client';

/** As RFC 4180 has it. */
const FORM = { record_delimiter: '\r\n' };

/** The records of a text with CRLF line ends. */
export const csvRecords = (text: string): string[][] => parse(text, FORM);

/** The rows of a csv text by the names of its header. */
export const csvRows = (text: string): Record<string, string>[] =>
  parse<Record<string, string>>(text, { ...FORM, columns: true });

/** Asks for csv. */
export const inCsv = (client: ApiClient, path: string): Test => client.get(path).set('Accept', 'text/csv');
