import { userCredentials } from '@app/lifecycle/table-rules';
import { LOGIN_LINK_CONSTRAINT_ERRORS } from './login-link.types';

export const LOGIN_LINK_RULES = userCredentials('login_links', {
  part: 'loginLinks',
  constraintErrors: LOGIN_LINK_CONSTRAINT_ERRORS,
  about:
    'Links of the last minutes by which a program of the hosting company, such as its billing, lets the person into the panel.',
  exported: `id, created_at AS "createdAt", expires_at AS "expiresAt", address, refused_at AS "refusedAt",
    used_at AS "usedAt", ended_at AS "endedAt",
    (SELECT k.name FROM service_keys k WHERE k.id = service_key_id) AS "serviceKey"`,
  outdated: 'used_at IS NOT NULL OR ended_at IS NOT NULL OR expires_at < now()',
  audited: {
    kind: 'loginLinks',
    shown: 'user_id created_at expires_at address refused_at used_at ended_at',
    adminOnly: 'service_key_id',
    hidden: 'id token_digest',
  },
  afterRestore: { ends: 'loginLinks', by: 'end' },
});
