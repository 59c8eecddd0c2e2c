import type { Amount, Bounds, Bulkhead, Quotas } from '../../libs/platform/concurrency/bulkhead';
import { item } from './lines.cjs';

/** Whose bounds they are, in the words of the page. */
const CLIENTS: Readonly<Record<keyof Quotas, string>> = {
  group: 'a customer',
  member: 'a user',
  strangers: 'all strangers',
  network: 'a network of strangers',
};

function inWords(amount: Amount): string {
  if (typeof amount === 'number') return amount.toLocaleString('en');
  if ('perCore' in amount) return `${amount.perCore} for each core`;
  return `${Math.round(amount.ofPool * 100)} % of the connections`;
}

/** Such as `2 at once, 12 in all`. */
const boundsInWords = ({ maxRunning, maxPending }: Bounds): string =>
  [
    maxRunning !== undefined && `${inWords(maxRunning)} at once`,
    maxPending !== undefined && `${maxPending} in all`,
  ]
    .filter(Boolean)
    .join(', ') || 'any number';

const quotasOf = ({ quotas = {} }: Bulkhead): string =>
  (Object.keys(CLIENTS) as (keyof Quotas)[])
    .flatMap((who) => {
      const bounds = quotas[who];
      return bounds === undefined ? [] : [`${CLIENTS[who]}: ${boundsInWords(bounds)}`];
    })
    .join('; ') || 'the usual';

const itemOf = (bulkhead: Bulkhead): string => {
  const { maxWaiting, maxWaitMs } = bulkhead.queue;
  const waiting = maxWaiting === Infinity ? 'any number' : maxWaiting.toLocaleString('en');
  return item(
    `\`${bulkhead.name}\`: ${bulkhead.work}. ${inWords(bulkhead.permits)} at once; ${waiting} waiting, ${maxWaitMs / 1000} s at most; ` +
      `quotas: ${quotasOf(bulkhead)}`,
  );
};

/** The chapter of docs/limits.md about work at once, from the bulkheads that a service has opened. */
export const bulkheadsChapter = (bulkheads: readonly Bulkhead[]): string => `## Work at once

A process runs few at once of what holds a connection to the database, a core or much memory. Each kind has a bulkhead with its permits; what gets
none waits, without a connection. Customers ([organisations](rules/organisations.md) 22) take turns, the organisations of a customer within
its turns, and their users within those. All strangers, who call without a credential, are one group, in which networks take turns.

The usual quotas: a customer has at most half of the permits and half of the queue, and so have all strangers together; a user a quarter of the
permits and half of the queue; a network of strangers a quarter of both; work of the service itself, such as mails, has none.
Passwords for one user name wait before this, two of them at a time.

Work that finds the queue or its quota full is refused at once, and work that has waited too long then: 503 with \`reason\`
\`TEMPORARILY_UNAVAILABLE\` and \`Retry-After\`, and nothing has begun. In a full queue strangers make room for others, and whoever has most
waiting for whoever has less. [monitoring.md](monitoring.md#metrics) has the metrics of each bulkhead. The connections are those of \`DATABASE_POOL\`.

${bulkheads.map(itemOf).join('')}`;
