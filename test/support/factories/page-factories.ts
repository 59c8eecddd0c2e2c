import type { LoginEndings, LoginToEnd } from '@app/login-notices/login-endings';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import type { ReachableService } from '../service/service';

/** The token of a recovery mail to the user, written straight to the database. */
export async function makeResetToken(
  service: ReachableService,
  userId: number,
  { validFor = '1 hour' }: { readonly validFor?: string } = {},
): Promise<string> {
  const token = newSecret();
  await service.sql`INSERT INTO recovery_requests (user_id, token_digest, code_digest, expires_at, code_expires_at)
     VALUES (${userId}, ${digestOf(token)}, ${digestOf(token)}, now() + ${validFor}::interval, now())`;
  return token;
}

/** The token of a mail that restores the name of a user, written straight to the database. */
export async function makeRestorationToken(
  service: ReachableService,
  userId: number,
  formerName: string,
): Promise<string> {
  const token = newSecret();
  await service.sql`INSERT INTO name_restorations (user_id, former_name, token_digest, renamed_at, expires_at)
     VALUES (${userId}, ${formerName}, ${digestOf(token)}, now(), now() + interval '72 hours')`;
  return token;
}

/** A login that was noticed. */
export const NOTICED_LOGIN: LoginToEnd = {
  language: 'nl',
  username: 'jan@example.com',
  at: new Date('2026-11-20T14:05:00Z'),
  address: '198.51.100.7',
  country: 'België',
  system: 'Windows 11',
  browser: 'Firefox 145',
  state: 'open',
};

/** Logins that links end, in memory. */
export class MadeLoginEndings implements Pick<LoginEndings, 'find' | 'end'> {
  private readonly logins = new Map<string, LoginToEnd>();

  make(login: Partial<LoginToEnd> = {}): string {
    const token = newSecret();
    this.logins.set(token, { ...NOTICED_LOGIN, ...login });
    return token;
  }

  find(token: string): Promise<LoginToEnd | undefined> {
    return Promise.resolve(this.logins.get(token));
  }

  end(token: string): Promise<boolean> {
    const isOpen = this.logins.get(token)?.state === 'open';
    this.logins.delete(token);
    return Promise.resolve(isOpen);
  }
}
