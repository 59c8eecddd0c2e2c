import type { Candidate, KnownPeople } from '@app/privacy/known-people';
import { CommandFailed, WrongUse } from '../outcome';

/** How the operator says whom a command is about: by name or by id. */
export interface NamedPerson {
  readonly username: string | undefined;
  readonly id: number | undefined;
}

/** Wrong use is told before anything is connected to. */
export function checkNamed({ username, id }: NamedPerson): void {
  if ((username === undefined) === (id === undefined))
    throw new WrongUse('name the user or give --id, not both');
}

/** A name may have been several users' one after the other: they need not be one person. */
export async function candidateOf(people: KnownPeople, { username, id }: NamedPerson): Promise<Candidate> {
  const found = await people.candidates(id === undefined ? { username: username ?? '' } : { id });
  const [only, ...others] = found;
  const wanted = id === undefined ? JSON.stringify(username) : id;
  if (only === undefined) throw new CommandFailed(`there is no user ${wanted}, nor a deleted one`);
  if (others.length === 0) return only;
  const list = found.map((user) => `--id ${user.id} (${stateOf(user)})`).join(', ');
  throw new CommandFailed(`several users have had the name ${wanted}: choose one by ${list}`);
}

export const stateOf = ({ organisationId, deletedAt }: Candidate): string =>
  `organisation ${organisationId}, ${
    deletedAt === null ? 'in use' : `deleted ${deletedAt.toISOString().slice(0, 10)}`
  }`;
