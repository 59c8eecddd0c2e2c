import type { MadeUser } from '../factories/factories';
import { makeSupportLogin } from '../factories/support-factories';
import type { TestService } from '../service/service';
import type { Actor } from './access-world';

type Person = MadeUser & { readonly roles: readonly string[] };

/**
 * Support logins of two people of a customer, each without and with `write`. Their organisation allows both.
 */
export async function supportActors(
  service: TestService,
  people: ReadonlyMap<string, Person>,
): Promise<Actor[]> {
  const actors: Actor[] = [];
  for (const whose of ['plain user', 'CUSTADMIN']) {
    const { id: userId, organisationId, roles } = people.get(whose) as Person;
    await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')
      ON CONFLICT DO NOTHING`;
    for (const write of [false, true]) {
      const { hash } = await makeSupportLogin(service, userId, (people.get('admin') as Person).id, { write });
      const name = `support login${write ? ' with write' : ''} of ${whose}`;
      const person = { userId, roles, home: 'customer', isInTeam: whose === 'plain user' } as const;
      actors.push({ ...person, name, hash, credential: 'usable', withKey: false, support: { write } });
    }
  }
  return actors;
}
