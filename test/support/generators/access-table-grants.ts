import type { Cell, Row, RowName } from './access-table';

/** One question to the table. */
export interface Question {
  readonly rule: RowName;
  /** Method and path. */
  readonly route: string;
  readonly roles: readonly string[];
  readonly withKey: boolean;
  /** How the caller's organisation relates to the addressed one; undefined where none is addressed. */
  readonly organisation: { own: boolean; beneath: boolean; granted: boolean; manages: boolean } | undefined;
  /** The addressed user; undefined where none is addressed. */
  readonly user: { isSelf: boolean; isAdmin: boolean; isCustadmin: boolean } | undefined;
}

/**
 * What is beyond every grant, reads too, beside what no support login writes: rule grants 36, rule grants 37,
 * rule grants 38.
 */
const NEVER_BY_GRANT =
  /\/(servicekeys|webhooks|apikeys|passkeys|recoverycodes|token2fa|enable2fa|disable2fa|logins|supportaccess|grants|acls|audit|events|access)(\/|$)|:organisationId\/(organisations|actions)$/;
/** rule grants 39: SSH and deploy keys may be read, not changed. */
const NEVER_WRITTEN_BY_GRANT = /^(?!GET)[A-Z]+ .*\/sshkeys(\/|$)/;
/** To change, disable or delete a CUSTADMIN (rule grants 35), and its contacts (rule grants 43). */
const NEVER_TO_CUSTADMINS =
  /:userId\/contacts|^(?!GET)[A-Z]+ [^ ]*:organisationId\/users\/:userId(\/actions)?$/;

/**
 * rule grants 31: what a CUSTADMIN of it may, but never what is named. rule grants 46: what a CUSTADMIN may
 * not either keeps its own answer.
 */
export function cellOfManager(cells: Row, route: string, user: Question['user']): Cell | 'uncovered' {
  if (cells.granted === 'yes') return 'yes';
  if (user?.isAdmin === true) return 'no';
  if (cells.own !== 'yes') return cells.own;
  const isBeyond =
    NEVER_BY_GRANT.test(route) ||
    NEVER_WRITTEN_BY_GRANT.test(route) ||
    (user?.isCustadmin === true && NEVER_TO_CUSTADMINS.test(route));
  return isBeyond ? 'uncovered' : 'yes';
}
