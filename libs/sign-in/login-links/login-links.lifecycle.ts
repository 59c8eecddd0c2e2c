import { type EntityManager, IsNull } from 'typeorm';
import { userCredentials } from '@app/lifecycle/table-rules';
import type { UserEvent } from '@app/lifecycle/user-events';
import { LoginLink } from './login-link.entity';
import { LOGIN_LINK_CONSTRAINT_ERRORS } from './login-link.types';

/** The last use by each key stays, and says that the user has been told of the key. */
const WAS_USED_AGAIN = `EXISTS (SELECT FROM login_links later WHERE later.user_id = login_links.user_id
  AND later.service_key_id = login_links.service_key_id AND (later.used_at, later.id) > (login_links.used_at, login_links.id))`;

export const LOGIN_LINK_RULES = userCredentials('login_links', {
  part: 'loginLinks',
  personalTexts: 'address',
  constraintErrors: LOGIN_LINK_CONSTRAINT_ERRORS,
  about:
    'Links by which a program of the hosting company, such as its billing, lets the person into ' +
    'the panel: those of the last minutes, and the last one that was used of each program.',
  exported: `id, created_at AS "createdAt", expires_at AS "expiresAt", address, refused_at AS "refusedAt",
    used_at AS "usedAt", ended_at AS "endedAt",
    (SELECT k.name FROM service_keys k WHERE k.id = service_key_id) AS "serviceKey"`,
  outdated: `CASE WHEN used_at IS NULL THEN ended_at IS NOT NULL OR expires_at < now() ELSE ${WAS_USED_AGAIN} END`,
  audited: {
    kind: 'loginLinks',
    shown: 'user_id created_at expires_at address refused_at used_at ended_at',
    adminOnly: 'service_key_id',
    hidden: 'id token_digest',
  },
  handle: endLinks,
  afterRestore: { ends: 'loginLinks', by: 'end' },
});

/** Ends open links with all logins of their user. Triggers end them with everything else. */
async function endLinks(manager: EntityManager, event: UserEvent): Promise<void> {
  if (event.kind !== 'loginsEnded') return;
  const open = { userId: event.userId, usedAt: IsNull(), endedAt: IsNull() };
  await manager.update(LoginLink, open, { endedAt: () => 'now()' });
}
