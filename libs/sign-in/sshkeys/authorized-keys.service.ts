import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { isWorkedOnBy } from '@app/people/teams/team-reach';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { RowCursor } from '@app/platform/database/pg-reads/row-cursor';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { ALL_ROWS } from '@app/platform/lists/paginator';
import { isSuspended } from '@app/security/access/access.queries';
import type { Caller } from '@app/security/access/caller';

/** Maximum bytes in memory; longer answers are streamed. */
const MAX_BYTES_AT_ONCE = 1_000_000;

/**
 * The lines of system $1, ordered by key id, for the user with the name $2 or for all users.
 */
const LINES: Statement<Line> = {
  text: `
  SELECT DISTINCT ON (k.id)
    k.type || ' ' || translate(encode(k.blob, 'base64'), E'\\n', '') || ' user:' || u.id AS line
  FROM team_entities e JOIN teams t ON t.id = e.team_id AND t.auto_add_sshkey
  JOIN entities r ON r.kind = 'system' AND r.object_id = e.object_id
  JOIN team_members m ON m.team_id = t.id
  JOIN users u ON u.id = m.user_id
  JOIN ssh_keys k ON k.user_id = u.id
  WHERE e.kind = 'systems' AND e.object_id = $1
    AND u.enabled AND u.deleted_at IS NULL AND ($2::text IS NULL OR fold_case(nullif(name_for_others(u), '')) = fold_case($2))
    AND NOT ${isSuspended('u.organisation_id')}
    AND ${isWorkedOnBy('t', 'u.id')}
  ORDER BY k.id`,
};

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
    const { rows, isCut } = await this.queries.rowsWithin(MAX_BYTES_AT_ONCE, ALL_ROWS, LINES, values);
    if (!isCut) return streamed([textOf(rows)]);
    const cursor = await this.queries.cursor<Line>(LINES, values, caller.client);
    const all = streamed(cursor.pace.measured(rest(cursor)));
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
