import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { withPanel } from '@app/formats/panel-link';
import { Brands, panelOf } from '@app/mail/brands';
import { linkFrom } from '@app/mail/mail-values';
import { lockOwner } from '@app/people/users/user-rows';
import { Transactions } from '@app/platform/database/transactions';
import { NotFound } from '@app/platform/errors/api-error';
import { isSuspended } from '@app/security/access/access.queries';
import type { Caller } from '@app/security/access/caller';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { Throttler } from '@app/security/throttling/throttler';
import {
  type CreatedLoginLink,
  linkedUserKeptOut,
  LINKS_A_MINUTE,
  managerOfAllNotLinked,
  type NewLoginLink,
} from './login-link.types';

const MINUTE = 60;

/** Locks the user, so that the conditions of a link cannot change. */
const LOCK_USER = `
  SELECT manages_all(u.organisation_id, u.roles) AS "managesAll", u.enabled AND NOT ${isSuspended('u.organisation_id')} AS "canLogIn"
  FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL FOR SHARE OF u`;

interface LockedUser {
  readonly managesAll: boolean;
  readonly canLogIn: boolean;
}

const INSERT = `
  INSERT INTO login_links (user_id, service_key_id, token_digest, address, expires_at)
  VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
  RETURNING floor(extract(epoch FROM expires_at))::float8 AS "expiresAt"`;

/** Makes login links. The privilege table says which keys may. */
@Injectable()
export class LoginLinksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly throttler: Throttler,
    private readonly settings: Settings,
    private readonly brands: Brands,
  ) {}

  /** Only this response contains the token. */
  async create(
    caller: Caller,
    { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
    { seconds, address }: NewLoginLink,
  ): Promise<CreatedLoginLink> {
    const { id: keyId } = caller.credential;
    await this.throttler.reserve([{ bucket: ['login links', keyId], most: LINKS_A_MINUTE }], MINUTE);
    const token = newSecret();
    const expiresAt = await this.transactions.run(caller, async (manager) => {
      await lockOwner(manager, { organisationId });
      await assertMayLogIn(manager, userId);
      const values = [userId, keyId, digestOf(token), address ?? null, seconds];
      const [link] = await manager.query<[{ expiresAt: number }]>(INSERT, values);
      return link.expiresAt;
    });
    return { token, url: await this.urlOf(token, organisationId), expiresAt };
  }

  private async urlOf(token: string, organisationId: number): Promise<string> {
    const { loginUrlTemplate, panelUrl } = this.settings;
    if (loginUrlTemplate === undefined) return '';
    const link = linkFrom(loginUrlTemplate, { token });
    return withPanel(link, panelOf(await this.brands.nearest(organisationId), panelUrl));
  }
}

async function assertMayLogIn(manager: EntityManager, userId: number): Promise<void> {
  const [user] = await manager.query<LockedUser[]>(LOCK_USER, [userId]);
  if (user === undefined) throw new NotFound('User');
  if (user.managesAll) throw managerOfAllNotLinked();
  if (!user.canLogIn) throw linkedUserKeptOut();
}
