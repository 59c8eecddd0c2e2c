import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { KeyOwner, SshKeyOrder } from './ssh-key.values';

/** The OpenSSH one-line form; PostgreSQL breaks base64 into lines of 76. */
const CONTENT = `concat_ws(' ', k.type, replace(encode(k.blob, 'base64'), E'\\n', ''), nullif(k.comment, ''))`;

const KEYS = `
  SELECT k.id, k.description, ${CONTENT} AS content, k.fingerprint,
    json_build_object('id', o.id, 'name', o.name) AS organisation
  FROM ssh_keys k
  LEFT JOIN users u ON u.id = k.user_id
  JOIN organisations o ON o.id = coalesce(k.organisation_id, u.organisation_id)`;

/** A key by its id ($1). */
export const SSH_KEY_BY_ID = prepared(`${KEYS} WHERE k.id = $1`);

const EXPRESSION_OF: Readonly<Record<SshKeyOrder, string>> = {
  id: 'k.id',
  description: 'k.description',
  content: CONTENT,
  fingerprint: 'k.fingerprint',
};

/** A page of the keys of a user or an organisation, with one row more than the page to tell that some remain. */
export function sshKeyPage(owner: KeyOwner, request: ListRequest<SshKeyOrder>): Query {
  const values: unknown[] = [owner.userId ?? owner.organisationId, request.limit + 1, request.offset];
  const direction = request.descending ? 'DESC' : 'ASC';
  const column = owner.userId === undefined ? 'organisation_id' : 'user_id';
  let condition = '';
  if (request.filter !== undefined) {
    condition = `AND (lower(k.description) LIKE lower($4) OR k.fingerprint LIKE lower($4))`;
    values.push(substringPattern(request.filter));
  }
  return {
    statement: prepared(`${KEYS}
      WHERE k.${column} = $1 ${condition}
      ORDER BY ${EXPRESSION_OF[request.orderBy]} ${direction}, k.id ${direction} LIMIT $2 OFFSET $3`),
    values,
  };
}
