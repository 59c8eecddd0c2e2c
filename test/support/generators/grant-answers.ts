import type { MailMessage } from '@app/mail/mail-transport';
import { ENTITY_KINDS } from '@app/records/entities/entity.types';
import type { WireResponse } from './access-calls';
import { expectedOf, type GrantCell, nameOfGrantCell } from './grant-cells';
import type { GrantPerson } from './grant-people';
import { answerOf, CLASSES, type ClassRow, STATES, type Way } from './grant-table';
import { type Giver, type GrantWorld, newsOf, POSTED } from './grant-world';

/** A person and an organisation, each pair once. */
export interface Meeting {
  readonly person: GrantPerson;
  readonly giver: Giver;
}

export const meetingsOf = ({ givers }: GrantWorld): Meeting[] =>
  givers.flatMap((giver) => giver.people.map((person) => ({ giver, person })));

export const nameOfMeeting = ({ person, giver }: Meeting): string => `${person.name} by ${giver.name}`;

/** The answer of the tables to what has no path: `allowed`, or a refusal. */
export const answerTo = (of: ClassRow, { person, giver: { kind, state } }: Meeting, way: Way): string =>
  answerOf(of, { person: person.row, kind, state, way });

/** What went otherwise than the tables say, one line for each cell. */
export function surprisesOf(cells: readonly GrantCell[], way: Way, answered: readonly string[]): string[] {
  return cells.flatMap((cell, index) => {
    const expected = expectedOf(cell, way);
    return answered[index] === expected
      ? []
      : [`${nameOfGrantCell(cell)} is ${expected}, answered ${answered[index]}`];
  });
}

/** Whether forward-auth lets a person on: the status where a role is asked for, or none. */
export function forwarded(meeting: Meeting, role: string): string {
  const answer = answerTo(CLASSES.read, meeting, 'forward-auth');
  if (answer !== 'allowed') return answer.slice(0, 3);
  // rule other-services 20: by a grant the role is nobody's (403).
  return role === '' ? '204' : '403';
}

/** What a list of organisations and an overview of records show of a giver. */
export function shownIn(
  lists: readonly WireResponse[],
  { organisationId, entities }: Giver,
): { organisation: boolean; records: string } {
  const [listed, overview] = lists as [WireResponse, WireResponse];
  const { organisations } = JSON.parse(listed.text) as { organisations: { id: number }[] };
  return {
    organisation: organisations.some(({ id }) => id === organisationId),
    records: ENTITY_KINDS.filter((kind) => overview.text.includes(`"id":${entities[kind]},`)).join(),
  };
}

/**
 * Who of the grantee is in the giver's list of who has access (rule rights 52), with what access: one
 * masked row until managers of the grantee have named a team for it (rule rights 62), from then on the
 * users who use it (rule rights 63).
 */
export function accessTo(giver: Giver, people: readonly GrantPerson[]): string[] {
  const { kind, state } = giver;
  if (kind === 'none' || STATES[state] === 'nothing' || state === 'grantee suspended') return [];
  if (!kind.endsWith('teams')) return [`grantee 0 ${kind}`];
  const rows = people.flatMap((person) => {
    const { subject } = person;
    const can = (of: ClassRow): boolean => answerTo(of, { person, giver }, 'access list') === 'allowed';
    return can(CLASSES.read) ? [`user ${subject.id} ${can(CLASSES.write) ? 'manage' : 'read'}`] : [];
  });
  return [...new Set(rows)].sort();
}

/** The rows of such a list that come from the grant to an organisation. */
export function accessIn({ status, text }: WireResponse, granteeId: number): string[] {
  if (status !== 200) return [`${status}`];
  const { access } = JSON.parse(text) as {
    access: { kind: string; id: number; by: string; access: string; organisation: { id: number } }[];
  };
  return access
    .filter(({ by, organisation }) => by === 'grant' && organisation.id === granteeId)
    .map(({ kind, id, access: may }) => `${kind} ${id} ${may}`)
    .sort();
}

/**
 * What somebody learned of the news of a giver: groups that programs posted to, and news of the service
 * itself.
 */
export interface News {
  readonly posted: readonly string[];
  readonly ofService: number;
}

export const NO_NEWS: News = { posted: [], ofService: 0 };

/** The news in a list of notifications; those of the service that are for System. */
export function newsIn({ status, text }: WireResponse): News {
  if (status !== 200) return NO_NEWS;
  const { notifications } = JSON.parse(text) as {
    notifications: { type: string; notificationGroup: string }[];
  };
  const isPosted = ({ type }: { type: string }): boolean => type.startsWith('posted');
  return {
    posted: POSTED.filter((group) =>
      notifications.some((one) => isPosted(one) && one.notificationGroup === group),
    ),
    ofService: notifications.filter((one) => !isPosted(one) && one.notificationGroup === 'System').length,
  };
}

/** The news of a giver in the mails to an address. */
export function newsInMails(
  mails: readonly MailMessage[],
  address: string,
  { organisationId }: Pick<Giver, 'organisationId'>,
): News {
  const news = newsOf(organisationId);
  const received = mails.filter(
    ({ to, subject, text }) => to === address && `${subject} ${text}`.includes(news),
  );
  const isPosted = (group: string) =>
    received.some(({ subject, text }) => `${subject} ${text}`.includes(`${news} ${group}`));
  const posted = POSTED.filter(isPosted);
  return { posted, ofService: received.length - posted.length };
}

/**
 * Who of a giver's own contacts is told what: its own one all of it, one that a grant made all but System
 * (rule grants 44).
 */
export function contactsIn(
  mails: readonly MailMessage[],
  { mailed: { own, byGrant }, ...giver }: Giver,
): { own: News; byGrant: News | undefined } {
  return {
    own: newsInMails(mails, own, giver),
    byGrant: byGrant === undefined ? undefined : newsInMails(mails, byGrant, giver),
  };
}
