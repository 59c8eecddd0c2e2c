/** The two wire variants of version 1.0 of the interface. */
export type VariantName = 'A' | 'B';

/** Which traces are told, by OpenTelemetry's names. */
export const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type TracesSampler = (typeof TRACES_SAMPLERS)[number];

/**
 * Everything that the operator can set, already parsed and checked. Built once at start by `config/env.ts`,
 * the only reader of the process environment, and injected wherever it is needed.
 */
export class Settings {
  /** `API_VARIANT`: the wire variant that this process serves. */
  readonly variant!: VariantName;
  /** `PORT`: TCP port of the HTTP service. */
  readonly port!: number;
  /** `HOST`: address to listen on. */
  readonly host!: string;
  /** `DATABASE_URL`: PostgreSQL connection string; undefined means the embedded PostgreSQL. */
  readonly databaseUrl!: string | undefined;
  /** `DATABASE_DIRECT_URL`: the same database past a pooler, for what needs a session; undefined: `DATABASE_URL`. */
  readonly databaseDirectUrl!: string | undefined;
  /** `DATABASE_POOLER`: what a pooler behind `DATABASE_URL` gives a server connection for; undefined: no pooler. */
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
  /** `PUBLIC_URL`: where clients reach this service, without `/v1`: what links to documents begin with. */
  readonly publicUrl!: string;
  /** `SECRETS_KEY`: base64 keys of 32 bytes, comma-separated, the current one first; undefined: made up under `DATA_DIR`. */
  readonly secretsKey!: string | undefined;
  /** `TRUSTED_PROXIES`: addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  readonly trustedProxies!: readonly string[];
  /** `CORS_ORIGINS`: origins that browsers may call from; empty: none. */
  readonly corsOrigins!: readonly string[];
  /** `LOG_LEVEL`: least severe level that is logged. */
  readonly logLevel!: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** `RATE_LIMIT`: whether calls without a token are limited to 60 a minute from one address. */
  readonly rateLimit!: boolean;
  /** `GEOIP_DB`: MaxMind-format file for the country of a trusted device. */
  readonly geoipDb!: string | undefined;
  /** `LOGIN_IDLE_TTL`: seconds that a login lives after its last use. */
  readonly loginIdleTtl!: number;
  /** `LOGIN_MAX_TTL`: seconds that a login lives at most. */
  readonly loginMaxTtl!: number;
  /** `RESET_TTL`: seconds that a reset token is good for. */
  readonly resetTtl!: number;
  /** `INVITATION_TTL`: seconds that an invitation is good for. */
  readonly invitationTtl!: number;
  /** `API_KEY_TTL`: seconds that a new API key is good for. */
  readonly apiKeyTtl!: number;
  /** `AUDIT_RETENTION`: seconds that a row of the audit log is kept; undefined: for ever. */
  readonly auditRetention!: number | undefined;
  /** `NOTIFICATION_RETENTION`: seconds that a notification is kept; undefined: for ever. */
  readonly notificationRetention!: number | undefined;
  /** `INVITATION_RETENTION`: seconds that an invitation is kept after its end; undefined: for ever. */
  readonly invitationRetention!: number | undefined;
  /** `USAGE_RETENTION`: seconds that a day's count of calls is kept; undefined: for ever. */
  readonly usageRetention!: number | undefined;
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
  /** `DRAIN_DELAY`: seconds that a stopping process goes on serving while balancers turn away from it. */
  readonly drainDelay!: number;
  /** `TEST_CLOCK`: whether admins can move the clock; on databases made for it alone. */
  readonly testClock!: boolean;
  /** `LIST_LIMIT_MAX`: the most items that one list request returns. */
  readonly listLimitMax!: number;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: where traces are sent, without `/v1/traces`; undefined: nowhere. */
  readonly otlpEndpoint!: string | undefined;
  /** `OTEL_EXPORTER_OTLP_HEADERS`: what is sent along, such as a key of whoever takes the traces. */
  readonly otlpHeaders!: Readonly<Record<string, string>>;
  /** `OTEL_EXPORTER_OTLP_TIMEOUT`: milliseconds that it gets to take some. */
  readonly otlpTimeout!: number;
  /** `OTEL_SERVICE_NAME`: the name of the service in its traces. */
  readonly otelServiceName!: string;
  /** `OTEL_TRACES_SAMPLER`: which traces are told. */
  readonly otelTracesSampler!: TracesSampler;
  /** `OTEL_TRACES_SAMPLER_ARG`: the part of the traces that samplers with a ratio tell of, 0 to 1. */
  readonly otelTracesSamplerArg!: number;
}
