import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/security/access/access.decorators';
import { isSuspended } from '@app/security/access/access.queries';
import type { TextToSend } from '@app/platform/dto/files';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import type { RowCursor } from '@app/platform/database/pg-reads/row-cursor';
import { entityInReachOf } from '@app/people/teams/team.columns';

/** Maximum bytes in memory; longer answers are streamed. */
const MAX_BYTES_AT_ONCE = 1_000_000;

/**
 * The lines of system $1, ordered by key id, for the user with the name $2 or for all users. A team holds a system only while
 * its organisation may work on it, so the end of a grant ends the keys.
 */
const LINES = prepared<{ line: string }>(`
  SELECT k.type || ' ' || translate(encode(k.blob, 'base64'), E'\\n', '') || ' user:' || u.id AS line
  FROM ssh_keys k JOIN users u ON u.id = k.user_id
  WHERE u.enabled AND u.deleted_at IS NULL AND ($2::text IS NULL OR lower(u.username) = lower($2))
    AND NOT ${isSuspended('u.organisation_id')}
    AND u.id IN (
      SELECT m.user_id
      FROM team_entities e JOIN teams t ON t.id = e.team_id AND t.auto_add_sshkey
      JOIN entities r ON r.kind = 'system' AND r.object_id = e.object_id AND ${entityInReachOf('t')}
      JOIN team_members m ON m.team_id = t.id
      WHERE e.kind = 'systems' AND e.object_id = $1)
  ORDER BY k.id`);

interface Line {
  readonly line: string;
}

/** The SSH keys that can log in to a system, for sshd. */
@Injectable()
export class AuthorizedKeysService {
  constructor(private readonly queries: DatabaseReads) {}

  /** The lines in pieces; the first one is read before it returns. With `username` only the lines of this user. */
  async of(caller: Caller, systemId: number, username: string | undefined): Promise<TextToSend> {
    const values = [systemId, username ?? null];
    const { rows, isCut } = await this.queries.rowsWithin<Line>(MAX_BYTES_AT_ONCE, LINES, values);
    if (!isCut) return { pieces: once(textOf(rows)) };
    const cursor = await this.queries.cursor<Line>(LINES, values, { aim: 'all-rows', reader: caller.client });
    return { pieces: rest(cursor), close: () => cursor.close() };
  }
}

const textOf = (rows: readonly Line[]): string => rows.map(({ line }) => `${line}\n`).join('');

// eslint-disable-next-line @typescript-eslint/require-await -- a stream of one piece
async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* rest(cursor: RowCursor<Line>): AsyncGenerator<string> {
  while (!cursor.isAtEnd) yield textOf(await cursor.next());
}
