import type { Operation } from '@app/security/access/privileges';
import { COVERED } from '../support/generators/access-table';

/**
 * What a grantor has done. All but the first give a grant to the same grantee; a grant for a team names the
 * one team of the members below.
 */
export const GRANTORS = [
  'gives nothing',
  'lets read',
  'lets a team read',
  'lets manage',
  'lets a team manage',
  'let read, and it has expired',
  'let a team manage, and it has expired',
  'lets read, and is suspended',
  'lets read, and is suspended from above',
  'lets a team manage, and is suspended',
  'lets read, and demands a second factor',
  'lets a team manage, and demands a second factor',
] as const;
export type GrantorName = (typeof GRANTORS)[number];

/**
 * What somebody of the grantee does at a grantor: `reads`, what every grant covers; `manages`, what one to
 * manage covers; `proves`, nothing before the second factor that the grantor demands; `nothing`.
 */
type Standing = 'reads' | 'manages' | 'proves' | 'nothing';

type Row = Readonly<Partial<Record<GrantorName, Exclude<Standing, 'nothing'>>>>;

/** rule grants 17: every user of the grantee reads, unless the grant is for teams. */
const USER: Row = { 'lets read': 'reads', 'lets read, and demands a second factor': 'reads' };
/** rule grants 23, rule grants 19. */
const MEMBER: Row = {
  ...USER,
  'lets a team read': 'reads',
  'lets a team manage': 'manages',
  'lets a team manage, and demands a second factor': 'proves',
};
const CUSTADMIN: Row = { ...MEMBER, 'lets manage': 'manages' };
/** rule grants 32: a login that has passed a second factor, and nothing else. */
const PROVEN: Row = { ...CUSTADMIN, 'lets a team manage, and demands a second factor': 'manages' };
/** rule grants 27, rule grants 28, rule grants 29. */
const NOBODY: Row = {};

/** Who is asked, and what each does; at a grantor that a row does not name, nothing. */
export const PEOPLE = {
  'a user': USER,
  'a member of the team': MEMBER,
  'a member of another team': USER,
  'a CUSTADMIN': CUSTADMIN,
  'a CUSTADMIN by a code': PROVEN,
  'a CUSTADMIN by a passkey': PROVEN,
  'a CUSTADMIN with a passkey, by the password': CUSTADMIN,
  'API key of a user': USER,
  'API key of a member of the team': MEMBER,
  'API key of a CUSTADMIN': CUSTADMIN,
  'API key of a CUSTADMIN with an authenticator': CUSTADMIN,
  'service key': NOBODY,
  'support login of a CUSTADMIN, which writes': NOBODY,
  'login of a CUSTADMIN by a link': NOBODY,
  'a CUSTADMIN above the grantee': NOBODY,
  'a stranger': NOBODY,
} as const satisfies Record<string, Row>;
export type PersonName = keyof typeof PEOPLE;

export function standingOf(person: PersonName, grantor: GrantorName): Standing {
  const row: Row = PEOPLE[person];
  return row[grantor] ?? 'nothing';
}

/** The answer to an operation; `allowed` where the request may go on. */
export function answerTo(standing: Standing, operation: Operation): string {
  const covered = COVERED[operation];
  if (standing === 'nothing') return '403 ACCESS_DENIED';
  if (covered === undefined || (covered === 'manage' && standing === 'reads'))
    return '403 GRANT_DOES_NOT_COVER';
  return standing === 'proves' ? '403 SECOND_FACTOR_REQUIRED' : 'allowed';
}

const REFUSED_TO_KEYS: ReadonlySet<string> = new Set(['403 ACCESS_DENIED', '403 API_KEY_REFUSED']);

/**
 * Whether a verdict is the answer. Operations that keys never do, and one that only they do, keep their own
 * refusal, and whoever does nothing gets the refusal of its credential.
 */
export function isAnswer(verdict: string, standing: Standing, operation: Operation): boolean {
  if (standing === 'nothing') return verdict.startsWith('403 ');
  return (
    verdict === answerTo(standing, operation) ||
    (COVERED[operation] === undefined && REFUSED_TO_KEYS.has(verdict))
  );
}
