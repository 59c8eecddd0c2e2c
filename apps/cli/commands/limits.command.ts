import { InvalidArgumentError } from 'commander';
import type { EntityManager } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { commandHelp, type CommandLine, identifier } from '../command';
import type { CommandRun } from '../database';
import { CommandFailed, type Outcome } from '../outcome';

/** The most that the column takes. */
const MOST_TIMES = 1000;

type Customer = Pick<Organisation, 'id' | 'name' | 'limitTimes'>;

async function customerOf(manager: EntityManager, id: number): Promise<Customer> {
  const organisation = await manager.findOneBy(Organisation, { id });
  if (organisation === null || organisation.deletedAt !== null)
    throw new CommandFailed(`there is no organisation ${id}`);
  if (id === OPERATOR_ORGANISATION) throw new CommandFailed('the operator has no limits of customers');
  if (organisation.customerId !== id) {
    throw new CommandFailed(
      `organisation ${id} lies beneath the customer ${organisation.customerId}, whose limits it shares`,
    );
  }
  return organisation;
}

/** Shows how many times the usual limits a customer has, or sets it. */
async function limitsOf(
  { dataSource, transactions, ctx }: CommandRun,
  id: number,
  times: number | undefined,
): Promise<Outcome> {
  const { name, limitTimes } =
    times === undefined
      ? await customerOf(dataSource.manager, id)
      : await transactions.run(ctx, async (manager) => {
          const customer = await customerOf(manager, id);
          await manager.update(Organisation, { id }, { limitTimes: times });
          return { ...customer, limitTimes: times };
        });
  const has = limitTimes === 1 ? 'the usual limits' : `${limitTimes} times the usual limits`;
  return {
    report: { organisationId: id, name, times: limitTimes },
    lines: [`${name} (${id}) has ${has} by the hour and day: docs/limits.md`],
  };
}

function timesIn(text: string): number {
  const times = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (times < 1 || times > MOST_TIMES) throw new InvalidArgumentError(`It must be from 1 to ${MOST_TIMES}.`);
  return times;
}

const HELP = commandHelp(
  `Shows how many times the limits by the hour and day a customer has, or sets it. What a customer and all organisations
beneath it do counts together, so a reseller or an agency with thousands of customers of its own may need more. The
next request counts by it.`,
  `Examples:
  $ npm run cli -- limits 42
  $ npm run cli -- limits 42 --times 5`,
);

export function declare(cli: CommandLine): void {
  cli
    .command('limits', HELP)
    .argument('<organisation>', 'the id of a customer', identifier)
    .option('--times <number>', 'how many times the usual limits it has; 1 is usual', timesIn)
    .action((id: number, { times }: { times?: number }) => cli.run((run) => limitsOf(run, id, times)));
}
