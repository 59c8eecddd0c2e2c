import type { Request } from 'express';
import type { PreparedStatement } from '../database/prepared-queries';

export const ADDRESS_PROPERTY = 'addressed';

/** What the guard tells the passport strategy about the route: its access query and the path's identifiers. */
export interface RequestAddress {
  readonly statement: PreparedStatement;
  /** In the order of the statement's parameters; null for text that can not be an identifier. */
  readonly identifiers: readonly (number | null)[];
}

export type AddressedRequest = Request & { [ADDRESS_PROPERTY]: RequestAddress };

/** The largest identifier (32 bits, decisions.md section 2). */
const MAX_ID = 2_147_483_647;

/** A positive 32-bit integer in plain decimal; anything else names nothing and gives null. */
export function pathIdentifier(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}
