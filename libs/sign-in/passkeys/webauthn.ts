import { createPublicKey } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  CredentialDeviceType,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Logger } from 'pino';
import type { PasskeyParty } from '@app/config/passkeys.env';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { lazily } from '@app/platform/process/lazily';
import type { RequestContext } from '@app/security/context/request-context';

// Loading takes a quarter of a second and 17 MB, so it happens only if a user has a passkey.
const webauthn = lazily(() => import('@simplewebauthn/server'));
const helpers = lazily(() => import('@simplewebauthn/server/helpers'));

/** Ed25519, ES256 and RS256 by their COSE numbers. Authenticators use no others. */
export const COSE_ALGORITHMS = [-8, -7, -257] as const;

/** Maximum length of a logged text, because a client wrote some of it. */
const MAX_LOGGED = 300;

/** The key that an authenticator made. */
export interface NewKey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly backedUp: boolean;
  /** Whether the passkey can be copied. This never changes. */
  readonly backupEligible: boolean;
}

/** The data of a valid signature. The caller compares the counter. */
export type Assertion = Pick<NewKey, 'counter' | 'backedUp'>;

/** The stored key that should have signed. */
interface ExpectedKey {
  readonly publicKey: Buffer;
  /** Null if the passkey was registered before the service stored it. */
  readonly backupEligible: boolean;
}

/** The domain of the passkeys, and the pages that use them: `PASSKEY_RP_ID` and `PASSKEY_ORIGINS`. */
export abstract class RelyingParty implements PasskeyParty {
  abstract readonly rpId: string;
  abstract readonly origins: readonly string[];
}

/** Checks the responses of authenticators (WebAuthn Level 3, sections 7.1 and 7.2). */
@Injectable()
export class WebAuthn {
  constructor(
    private readonly party: RelyingParty,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  /** The key of a valid registration with this challenge; undefined if it is not valid. */
  newKey(
    ctx: RequestContext,
    response: RegistrationResponseJSON,
    challenge: string,
  ): Promise<NewKey | undefined> {
    return this.orRefused(ctx, async () => {
      await assertNoCertificates(response);
      this.assertOwnPage(response.response.clientDataJSON);
      if (response.clientExtensionResults.credProps?.rk === false) throw new Error('Not a resident key');
      const { verifyRegistrationResponse } = await webauthn();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...this.expected(challenge),
        response,
        supportedAlgorithmIDs: [...COSE_ALGORITHMS],
      });
      if (!verified) throw new Error('The attestation is wrong');
      const { credential, credentialBackedUp: backedUp, credentialDeviceType } = registrationInfo;
      await assertOnCurve(credential.publicKey);
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        backedUp,
        backupEligible: isBackupEligible(credentialDeviceType),
      };
    });
  }

  /** The data that the authenticator signed with this key; undefined if the response is not valid. */
  assertion(
    ctx: RequestContext,
    response: AuthenticationResponseJSON,
    challenge: string,
    key: ExpectedKey,
  ): Promise<Assertion | undefined> {
    return this.orRefused(ctx, async () => {
      this.assertOwnPage(response.response.clientDataJSON);
      const { verifyAuthenticationResponse } = await webauthn();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...this.expected(challenge),
        response,
        // Accepts any counter here, because the UPDATE that stores it compares it.
        credential: { id: response.id, publicKey: new Uint8Array(key.publicKey), counter: 0 },
      });
      if (!verified) throw new Error('The signature is wrong');
      const { newCounter: counter, credentialBackedUp: backedUp, credentialDeviceType } = authenticationInfo;
      if (key.backupEligible !== isBackupEligible(credentialDeviceType)) {
        throw new Error('Another backup eligibility than at registration');
      }
      return { counter, backedUp };
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

  /** Throws for a page in another site's frame, which the library does not check. */
  private assertOwnPage(clientDataJson: string): void {
    const { crossOrigin, topOrigin } = clientDataOf(clientDataJson);
    const isForeign = topOrigin !== undefined && !this.party.origins.includes(topOrigin as string);
    const isFramed = crossOrigin !== undefined && crossOrigin !== false;
    if (isFramed || isForeign) throw new Error('The page stands in a page of another origin');
  }

  /** The library throws for every invalid response. The log gets the reason; the client does not. */
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
 * The options ask for no attestation, so no certificate is expected. To check one, the library would call
 * addresses that the certificate names.
 */
async function assertNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await helpers();
  const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'));
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error('Attestation was not asked for');
}

/**
 * Throws for a point that is off its curve. The library sees that at the first login, when a passkey that can
 * never log in is the second factor of its user.
 */
async function assertOnCurve(publicKey: Uint8Array<ArrayBuffer>): Promise<void> {
  const { cose, decodeCredentialPublicKey } = await helpers();
  const key = decodeCredentialPublicKey(publicKey);
  if (!cose.isCOSEPublicKeyEC2(key)) return;
  const [x, y] = [key.get(cose.COSEKEYS.x), key.get(cose.COSEKEYS.y)].map((coordinate) =>
    Buffer.from(coordinate ?? []).toString('base64url'),
  );
  createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
}

const isBackupEligible = (deviceType: CredentialDeviceType): boolean => deviceType === 'multiDevice';

/**
 * The browser's client data about the page (WebAuthn Level 3, section 5.8.1); only the
 * fields that are checked here.
 */
type ClientData = Readonly<Record<'challenge' | 'crossOrigin' | 'topOrigin', unknown>>;

const clientDataOf = (json: string): Partial<ClientData> =>
  JSON.parse(Buffer.from(json, 'base64url').toString()) as Partial<ClientData>;

/** The challenge in the client data; undefined if it has none. */
export function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = clientDataOf(clientDataJson);
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The user handle that authenticators store with a passkey. It identifies the user and
 * differs for each service.
 */
export const userHandleOf = (userId: number): string =>
  Buffer.from(`account:${userId}`).toString('base64url');
