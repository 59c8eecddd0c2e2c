import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Caller } from '@app/security/access/access.decorators';
import { isSuspended } from '@app/security/access/access.queries';
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

  /** Reads the first lines before it returns. With `username` only the lines of this user. */
  async of(caller: Caller, systemId: number, username: string | undefined): Promise<StreamableFile> {
    const values = [systemId, username ?? null];
    const { rows, isCut } = await this.queries.rowsWithin<Line>(MAX_BYTES_AT_ONCE, LINES, values);
    if (!isCut) return streamed([textOf(rows)]);
    const cursor = await this.queries.cursor<Line>(LINES, values, caller.client);
    const all = streamed(rest(cursor));
    // If a stream ends before its first read, the generator does not end by itself.
    all.getStream().once('close', () => void cursor.close());
    return all;
  }
}

const streamed = (texts: Iterable<string> | AsyncIterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(texts, { objectMode: false }), { type: 'text/plain; charset=utf-8' });

const textOf = (rows: readonly Line[]): string => rows.map(({ line }) => `${line}\n`).join('');

async function* rest(cursor: RowCursor<Line>): AsyncGenerator<string> {
  for await (const rows of cursor) yield textOf(rows);
}
