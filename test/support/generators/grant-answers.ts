import type { MailMessage } from '@app/mail/mail-transport';
import type { WireResponse } from './access-calls';
import { expectedOf, type GrantCell, nameOfGrantCell } from './grant-cells';
import type { GrantPerson } from './grant-people';
import { answerOf, type ClassRow, type Way } from './grant-table';
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
export function surprisesOf(
  cells: readonly GrantCell[],
  way: Way,
  answered: readonly string[],
  inWordsOf = (expected: string) => expected,
): string[] {
  return cells.flatMap((cell, index) => {
    const expected = inWordsOf(expectedOf(cell, way));
    return answered[index] === expected
      ? []
      : [`${nameOfGrantCell(cell)} is ${expected}, answered ${answered[index]}`];
  });
}

/** An explanation in the words of an answer. */
export function explained({ status, text }: WireResponse): string {
  if (status !== 200) return `no explanation: ${status} ${text}`;
  const { explanation } = JSON.parse(text) as {
    explanation: { verdict: string; status: number | null; reason: string };
  };
  return explanation.verdict === 'allow' ? 'allowed' : `${explanation.status} ${explanation.reason}`;
}

/** What somebody learned of the news of a giver: groups that programs posted to, and news of the service itself. */
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
