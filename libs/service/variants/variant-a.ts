import { InvitationsShapes } from '@app/people/invitations/shapes/invitations.shapes';
import { VariantInvitationsShapes } from '@app/people/invitations/shapes/variant-a/invitations.shapes';
import { OrganisationsShapes } from '@app/people/organisations/shapes/organisations.shapes';
import { VariantOrganisationsShapes } from '@app/people/organisations/shapes/variant-a/organisations.shapes';
import { PreferencesModule } from '@app/people/preferences/preferences.module';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import { VariantUsersShapes } from '@app/people/users/shapes/variant-a/users.shapes';
import { NoMigratedUsersModule } from '@app/people/users/variant-a/no-migrated-users.module';
import { ListConventions } from '@app/platform/lists/list-request';
import { LinkedKinds } from '@app/records/documents/document-links';
import { XmlDownloadModule } from '@app/records/documents/documents.module';
import { PasswordRules, VARIANT_A_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { ApiKeyRoutesModule } from '@app/sign-in/apikeys/api-key-routes.module';
import { SecondFactorStep } from '@app/sign-in/auth/second-factor';
import { AuthShapes } from '@app/sign-in/auth/shapes/auth.shapes';
import { VariantAuthShapes } from '@app/sign-in/auth/shapes/variant-a/auth.shapes';
import { TotpSecondFactor } from '@app/sign-in/auth/variant-a/totp-second-factor';
import { TwoFactorModule } from '@app/sign-in/auth/variant-a/two-factor.module';
import { LoginLinksShapes } from '@app/sign-in/login-links/shapes/login-links.shapes';
import { VariantLoginLinksShapes } from '@app/sign-in/login-links/shapes/variant-a/login-links.shapes';
import { PasskeyRoutesModule } from '@app/sign-in/passkeys/passkey-routes.module';
import { RecoveryShapes } from '@app/sign-in/recovery/shapes/recovery.shapes';
import { VariantRecoveryShapes } from '@app/sign-in/recovery/shapes/variant-a/recovery.shapes';
import { SoftLoginModule } from '@app/sign-in/recovery/variant-a/soft-login.module';
import { Tokens2faModule } from '@app/sign-in/tokens2fa/tokens2fa.module';
import type { Variant } from './variant';

/** Variant A, the primary description. */
export const VARIANT_A = {
  providers: [
    { provide: ListConventions, useValue: { tag: true } satisfies ListConventions },
    { provide: PasswordRules, useValue: VARIANT_A_PASSWORD_RULES },
    { provide: LinkedKinds, useValue: { kinds: ['pdf', 'xml'] } satisfies LinkedKinds },
    { provide: AuthShapes, useClass: VariantAuthShapes },
    { provide: SecondFactorStep, useClass: TotpSecondFactor },
    { provide: InvitationsShapes, useClass: VariantInvitationsShapes },
    { provide: LoginLinksShapes, useClass: VariantLoginLinksShapes },
    { provide: OrganisationsShapes, useClass: VariantOrganisationsShapes },
    { provide: RecoveryShapes, useClass: VariantRecoveryShapes },
    { provide: UsersShapes, useClass: VariantUsersShapes },
  ],
  imports: [
    NoMigratedUsersModule,
    TwoFactorModule,
    SoftLoginModule,
    Tokens2faModule,
    XmlDownloadModule,
    ApiKeyRoutesModule,
    PreferencesModule,
  ],
  importsWith: [PasskeyRoutesModule.with],
} satisfies Variant;
