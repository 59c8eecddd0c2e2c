import type { EntityManager } from 'typeorm';
import { erasedBy, storedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import type { NewsEnd, NewsVerdict } from './address-news.types';

/**
 * Maximum mails of news of one pot to an address in an hour, for each organisation that the news is
 * about (rule notifications 37).
 */
export const MOST_NEWS = 20;

/** Those about what users do to their own accounts, so that no plain user holds back the news of others. */
export const MOST_ACCOUNT_NEWS = 10;

/** What a manager reads of a recipient that was held back. */
export const HELD_BACK = `Held back: an address is mailed at most ${MOST_NEWS} news of a kind in an hour, at most ${MOST_ACCOUNT_NEWS} of them about what users do to their own accounts.`;

/** SQL that counts one mail and gives its `NewsVerdict`. Each evaluation counts. */
export const countedNews = (organisationId: string, address: string, pot: string, kind: string): string =>
  `count_address_news(${organisationId}, ${address}, ${pot}, ${kind} = 'account', ${MOST_NEWS}, ${MOST_ACCOUNT_NEWS})`;

const COUNT = `SELECT ${countedNews('$1::integer', '$2::text', '$3::text', '$4::text')} AS verdict`;

/** Counts a mail of news that stands in no notification, in the transaction that queues it. */
export async function countNews(
  manager: EntityManager,
  organisationId: number,
  address: string,
  pot: string,
  kind: 'warning' | 'account' = 'warning',
): Promise<NewsVerdict> {
  const values = [organisationId, address, pot, kind];
  const [row] = await manager.query<{ verdict: NewsVerdict }[]>(COUNT, values);
  return (row as { verdict: NewsVerdict }).verdict;
}

/** Which news end with a mail that may be sent. */
export const endOf = (verdict: Exclude<NewsVerdict, 'held'>): NewsEnd | undefined =>
  verdict === 'open' ? undefined : verdict;

/** Moves the hours of all counts back by the whole hours in $1 seconds, for the test clock. */
export const MOVE_ADDRESS_NEWS =
  'UPDATE address_news SET hour = hour - make_interval(hours => $1::integer / 3600)';

const OF_PERSON = `address_digest IN (SELECT address_digest(a) FROM unnest($1::text[]) a)`;

export const ADDRESS_NEWS_RULES: TableRules = {
  table: 'address_news',
  otherTexts: 'pot',
  outdated: `hour < now() - interval '1 day'`,
  part: 'newsCounts',
  about: 'How many mails with news went to the addresses of the person in an hour, for a day.',
  stored: storedBy(
    `SELECT organisation_id AS "organisationId", pot AS news, hour, mails, account_mails AS "accountMails"
       FROM address_news WHERE ${OF_PERSON} ORDER BY organisation_id, hour, pot`,
    ({ verifiedNames }) => [verifiedNames],
  ),
  erase: erasedBy(`DELETE FROM address_news WHERE ${OF_PERSON}`, ({ verifiedNames }) => [verifiedNames]),
};
