import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { RequestContext } from '@app/platform/context/request-context';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { lazily } from '@app/platform/process/lazily';
import type { PasskeyParty } from '@app/platform/process/settings';

// Loading takes a quarter of a second and 17 MB: only a service whose users have passkeys spends it.
const webauthn = lazily(() => import('@simplewebauthn/server'));
const helpers = lazily(() => import('@simplewebauthn/server/helpers'));

/** Ed25519, ES256 and RS256, by their numbers in COSE: all that authenticators make. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** Most characters of a logged text: a client wrote some of it. */
const MAX_LOGGED = 300;

/** The key that an authenticator made. */
export interface NewKey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly backedUp: boolean;
}

/** A signature of the right authenticator. The caller compares the counter. */
export interface Assertion {
  readonly counter: number;
  readonly backedUp: boolean;
}

/** The domain of the passkeys, and the pages that use them: `PASSKEY_RP_ID` and `PASSKEY_ORIGINS`. */
export abstract class RelyingParty implements PasskeyParty {
  abstract readonly rpId: string;
  abstract readonly origins: readonly string[];
}

/** Checks what authenticators respond (WebAuthn Level 3, sections 7.1 and 7.2). */
@Injectable()
export class WebAuthn {
  constructor(
    private readonly party: RelyingParty,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  /** The key of a right registration with this challenge; undefined for a wrong one. */
  newKey(
    ctx: RequestContext,
    response: RegistrationResponseJSON,
    challenge: string,
  ): Promise<NewKey | undefined> {
    return this.orRefused(ctx, async () => {
      await assertNoCertificates(response);
      if (response.clientExtensionResults.credProps?.rk === false) throw new Error('Not a resident key');
      const { verifyRegistrationResponse } = await webauthn();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...this.expected(challenge),
        response,
        supportedAlgorithmIDs: [...ALGORITHMS],
      });
      if (!verified) throw new Error('The attestation is wrong');
      const { credential, credentialBackedUp: backedUp } = registrationInfo;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        backedUp,
      };
    });
  }

  /** What the authenticator with this key signed; undefined for a wrong response. */
  assertion(
    ctx: RequestContext,
    response: AuthenticationResponseJSON,
    { challenge, publicKey }: { readonly challenge: string; readonly publicKey: Buffer },
  ): Promise<Assertion | undefined> {
    return this.orRefused(ctx, async () => {
      const { verifyAuthenticationResponse } = await webauthn();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...this.expected(challenge),
        response,
        // Only the UPDATE that stores the counter can compare it: 0 is never ahead of one.
        credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 },
      });
      if (!verified) throw new Error('The signature is wrong');
      return {
        counter: authenticationInfo.newCounter,
        backedUp: authenticationInfo.credentialBackedUp,
      };
    });
  }

  private expected(challenge: string) {
    return {
      expectedChallenge: challenge,
      expectedOrigin: [...this.party.origins],
      expectedRPID: this.party.rpId,
      requireUserVerification: true,
    };
  }

  /** The library throws for whatever is wrong with a response. The log says what; a stranger is not told. */
  private async orRefused<Checked>(
    ctx: RequestContext,
    check: () => Promise<Checked>,
  ): Promise<Checked | undefined> {
    try {
      return await check();
    } catch (error) {
      const why = String((error as Error).message).slice(0, MAX_LOGGED);
      this.logger.info({ requestId: ctx.requestId, why }, 'passkey refused');
      return undefined;
    }
  }
}

/**
 * The options ask for no attestation, so that no certificate comes. To check one, the library would call addresses that the
 * certificate names.
 */
async function assertNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await helpers();
  const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'));
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error('Attestation was not asked for');
}

/** The challenge that the client says it signed; undefined if it says none. */
export function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as {
      readonly challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** What authenticators store beside a passkey, to tell the service whose it is. Another service has other ones. */
export const userHandleOf = (userId: number): string =>
  Buffer.from(`account:${userId}`).toString('base64url');
