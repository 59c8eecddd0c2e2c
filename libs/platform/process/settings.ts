import type { VariantBEnd } from './variant-b.settings';

/** The two wire variants of version 1.0 of the interface. */
export type VariantName = 'A' | 'B';

/** The domain of passkeys, and the pages that may use them. */
export interface PasskeyParty {
  /** `PASSKEY_RP_ID`: a domain, at which and beneath which passkeys work. */
  readonly rpId: string;
  /** `PASSKEY_ORIGINS`: origins of the pages that add passkeys and log in with them. */
  readonly origins: readonly string[];
}

/** The operator's settings (docs/settings.md), parsed and checked. Only `config/env.ts` reads the environment, at start. */
export class Settings {
  /** `API_VARIANT`: the wire variant that this process serves. */
  readonly variant!: VariantName;
  /** `PORT`: TCP port of the HTTP service. */
  readonly port!: number;
  /** `HOST`: address to listen on. */
  readonly host!: string;
  /** `DATABASE_URL`: PostgreSQL connection string; undefined: the embedded PostgreSQL. */
  readonly databaseUrl!: string | undefined;
  /** `DATABASE_DIRECT_URL`: the same database past a pooler, for sessions; undefined: `DATABASE_URL`. */
  readonly databaseDirectUrl!: string | undefined;
  /** `DATABASE_POOLER`: what the pooler at `DATABASE_URL` gives a server connection for; undefined: no pooler. */
  readonly databasePooler!: 'session' | 'transaction' | undefined;
  /** `DATABASE_POOL`: the most connections that this process opens for requests. */
  readonly databasePool!: number;
  /** `PROCESSES`: processes that serve the port together; one of them does the jobs. */
  readonly processes!: number;
  /** `DATA_DIR`: absolute folder of the embedded PostgreSQL, the made-up secrets key and unsent mail. */
  readonly dataDir!: string;
  /** `ADMIN_USERNAME`: e-mail address of the first admin, used on an empty database only. */
  readonly adminUsername!: string | undefined;
  /** `ADMIN_PASSWORD`: password of the first admin, used on an empty database only. */
  readonly adminPassword!: string | undefined;
  /** `SMTP_URL`: mail server; undefined means `.eml` files under `DATA_DIR/mail`. */
  readonly smtpUrl!: string | undefined;
  /** `MAIL_FROM`: sender of every mail. */
  readonly mailFrom!: string;
  /** `MAIL_HOURLY_LIMIT`: the most mails that the users of one organisation cause in an hour. */
  readonly mailHourlyLimit!: number | 'off';
  /** `RESET_URL_TEMPLATE`: link of the recovery mail, with `{token}`. */
  readonly resetUrlTemplate!: string;
  /** `INVITATION_URL_TEMPLATE`: link of the invitation mail, with `{token}`, `{organisationId}`, `{invitationId}`. */
  readonly invitationUrlTemplate!: string;
  /** `PUBLIC_URL`: where clients reach this service, without `/v1`: what links to pages and documents begin with. */
  readonly publicUrl!: string;
  /** `PAGES`: whether this process serves the pages behind the links of mails. */
  readonly pages!: boolean;
  /** Whether mails lead to the page of a document, not to its files: with `PAGES`, where the other links lead to pages too. */
  readonly linksToDocumentPages!: boolean;
  /** `SECRETS_KEY`: base64 keys of 32 bytes, comma-separated, the current one first; undefined: made up under `DATA_DIR`. */
  readonly secretsKey!: string | undefined;
  /** `SECRETS_KEY_MISMATCH=allow`: whether the start goes on when the keys cannot open what is stored. */
  readonly allowsKeyMismatch!: boolean;
  /** `TRUSTED_PROXIES`: addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  readonly trustedProxies!: readonly string[];
  /** `WEBHOOK_NETWORKS`: addresses and CIDR ranges that webhooks reach though they are not public. */
  readonly webhookNetworks!: readonly string[];
  /** `CORS_ORIGINS`: origins that browsers may call from; empty: none. */
  readonly corsOrigins!: readonly string[];
  /** `LOG_LEVEL`: least severe level that is logged. */
  readonly logLevel!: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Whether calls without a token are limited to 60 a minute from one address; only tests and benches switch it off. */
  readonly rateLimit!: boolean;
  /** `PASSKEY_RP_ID` and `PASSKEY_ORIGINS`; undefined: no passkeys. */
  readonly passkeys!: PasskeyParty | undefined;
  /** `GEOIP_DB`: MaxMind-format file for the country of a trusted device. */
  readonly geoipDb!: string | undefined;
  /** `LOGIN_IDLE_TTL`: seconds that a login lives after its last use. */
  readonly loginIdleTtl!: number;
  /** `LOGIN_MAX_TTL`: seconds that a login lives at most. */
  readonly loginMaxTtl!: number;
  /** `RESET_TTL`: seconds that a reset token is valid. */
  readonly resetTtl!: number;
  /** `INVITATION_TTL`: seconds that an invitation is good for. */
  readonly invitationTtl!: number;
  /** `API_KEY_TTL`: seconds that a new API key is good for. */
  readonly apiKeyTtl!: number;
  /** `RETENTION_AUDIT` and its like: seconds that each kind of row is kept; undefined: for ever. */
  readonly retention!: Readonly<
    Record<'audit' | 'notifications' | 'invitations' | 'usage', number | undefined>
  >;
  /** `BCRYPT_COST`: cost of password hashes, 4 to 15. */
  readonly bcryptCost!: number;
  /** `STRICT_BODY`: whether unknown body fields are refused instead of ignored. */
  readonly strictBody!: boolean;
  /** `ADMIN_ONLY_FIELDS`: fields of organisations, as on the wire, that only admins may set beside the described ones. */
  readonly adminOnlyFields!: readonly string[];
  /** `STEP_UP`: whether changing the own name or switching the own second factor off takes the password again. */
  readonly stepUp!: boolean;
  /** `HIDE_UNKNOWN_USERNAMES`: whether an unknown user name is answered like a wrong password (401, not 404). */
  readonly hideUnknownUsernames!: boolean;
  /** `ALLOW_TOKENLESS_REGISTRATION`: whether the deprecated `POST /registerInvitation` registers users. */
  readonly allowTokenlessRegistration!: boolean;
  /** `WORKER`: whether this process also sends mails and does the other jobs; off where `apps/worker` runs. */
  readonly worker!: boolean;
  /** `DRAIN_DELAY`: seconds that a stopping process goes on serving, until load balancers have noticed. */
  readonly drainDelay!: number;
  /** `TEST_CLOCK`: whether admins can move the clock; only on databases made for it. */
  readonly testClock!: boolean;
  /** The most items that one list request returns: 1000; only tests and benches change it. */
  readonly listLimitMax!: number;
  /** `VARIANT_B_…`: the end of Variant B. */
  readonly variantBEnd!: VariantBEnd;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: whether traces are sent. OpenTelemetry's SDK reads this and all other `OTEL_*` itself. */
  readonly tracing!: boolean;
}

/** An error that the operator can solve: its message is one line that says how, shown without a stack. */
export abstract class OperatorError extends Error {}

/** Settings are wrong or missing; one line for each. */
export class SettingError extends OperatorError {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
