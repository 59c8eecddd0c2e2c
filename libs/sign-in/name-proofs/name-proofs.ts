import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OfUser, UserEvent } from '@app/lifecycle/user-events';
import { linkFrom } from '@app/mail/mail-values';
import { Outbox } from '@app/mail/outbox';
import { isMailable } from '@app/people/users/own-addresses';
import type { Language } from '@app/people/users/user.types';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { endNameProofs, nameProofMailKey } from './name-proof-ends';
import { MOST_NAME_PROOFS, NAME_PROOF_TTL } from './name-proofs.types';

/** Two users of an organisation may be renamed at once: their links count together. */
const LOCK_ORGANISATION = `SELECT pg_advisory_xact_lock(hashtext('name_proofs'), $1)`;

const TODAY = `date_trunc('day', now(), 'UTC')`;

/**
 * Inserts a link for the name $3 of the user $1 of the organisation $2, unless one is
 * open or a bound is reached.
 */
const OPEN = `
  INSERT INTO name_proofs (user_id, organisation_id, name, name_digest, token_digest, expires_at)
  SELECT $1::integer, $2::integer, $3::varchar, address_digest($3::varchar), $4, now() + make_interval(secs => $5)
  WHERE NOT EXISTS (SELECT FROM name_proofs WHERE user_id = $1 AND ended_at IS NULL AND expires_at > now())
    AND $6 > (SELECT count(*) FROM name_proofs WHERE organisation_id = $2 AND name_digest = address_digest($3::varchar)
      AND created_at > now() - interval '24 hours')
    AND $7 > (SELECT count(*) FROM name_proofs WHERE user_id = $1 AND created_at >= ${TODAY})
    AND $8 > (SELECT count(*) FROM name_proofs WHERE organisation_id = $2 AND created_at >= ${TODAY})
  RETURNING expires_at AS "expiresAt"`;

const END_EXPIRED = `
  UPDATE name_proofs SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL AND expires_at <= now()`;

/** Mails the links that prove user names, and ends them (rule recovery 76, rule recovery 78). */
@Injectable()
export class NameProofs {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    switch (event.kind) {
      case 'renamed':
        await endNameProofs(manager, [event.userId]);
        if (!event.isProved) await this.open(manager, event);
        return;
      case 'unprovedNameSent':
      case 'registeredUnproved':
        return this.open(manager, event);
      case 'nameProved':
      case 'nameRestored':
      case 'nameDenied':
        return endNameProofs(manager, [event.userId]);
      case 'nameTaken':
        return endNameProofs(
          manager,
          event.holders.map(({ userId }) => userId),
        );
      default:
    }
  }

  /** Beyond the bounds the user has the name, and no mail leaves. */
  private async open(manager: EntityManager, { userId, organisationId, username }: OfUser): Promise<void> {
    if (!isMailable(username)) return;
    await manager.query(LOCK_ORGANISATION, [organisationId]);
    await manager.query(END_EXPIRED, [userId]);
    const token = newSecret();
    const { ofAddress, ofUser, ofOrganisation } = MOST_NAME_PROOFS;
    const [opened] = await manager.query<{ expiresAt: Date }[]>(OPEN, [
      userId,
      organisationId,
      username,
      digestOf(token),
      NAME_PROOF_TTL,
      ofAddress,
      ofUser,
      ofOrganisation,
    ]);
    if (opened === undefined) return;
    const [user] = await manager.query<{ language: Language }[]>('SELECT language FROM users WHERE id = $1', [
      userId,
    ]);
    await this.outbox.queue(
      manager,
      {
        template: 'nameProof',
        to: username,
        language: user?.language ?? 'nl',
        values: { linkHours: String(NAME_PROOF_TTL / 3600) },
        secrets: { link: linkFrom(this.settings.usernameUrlTemplate, { token }) },
        expiresAt: opened.expiresAt,
        opens: organisationId,
        organisationId,
      },
      nameProofMailKey(userId),
    );
  }
}
