import type { ModuleMetadata } from '@nestjs/common';
import { NotImplementedModule } from '@app/edge/not-implemented/variant-b/not-implemented.module';
import { EndOfVariantModule } from '@app/edge/usage/variant-b/end-of-variant.module';
import { AclRoutesModule } from '@app/people/acls/variant-b/acl-routes.module';
import { InvitationsShapes } from '@app/people/invitations/shapes/invitations.shapes';
import { VariantInvitationsShapes } from '@app/people/invitations/shapes/variant-b/invitations.shapes';
import { UserWithContactModule } from '@app/people/invitations/variant-b/user-with-contact.module';
import { OrganisationsShapes } from '@app/people/organisations/shapes/organisations.shapes';
import { VariantOrganisationsShapes } from '@app/people/organisations/shapes/variant-b/organisations.shapes';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import { VariantUsersShapes } from '@app/people/users/shapes/variant-b/users.shapes';
import { MigratedUsersModule } from '@app/people/users/variant-b/migrated-users.module';
import { ListConventions } from '@app/platform/lists/list-request';
import { LinkedKinds } from '@app/records/documents/document-links';
import { PasswordRules, VARIANT_B_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { SecondFactorStep } from '@app/sign-in/auth/second-factor';
import { AuthShapes } from '@app/sign-in/auth/shapes/auth.shapes';
import { VariantAuthShapes } from '@app/sign-in/auth/shapes/variant-b/auth.shapes';
import { NoSecondFactor } from '@app/sign-in/auth/variant-b/no-second-factor';
import { LoginLinksShapes } from '@app/sign-in/login-links/shapes/login-links.shapes';
import { VariantLoginLinksShapes } from '@app/sign-in/login-links/shapes/variant-b/login-links.shapes';
import { RecoveryShapes } from '@app/sign-in/recovery/shapes/recovery.shapes';
import { VariantRecoveryShapes } from '@app/sign-in/recovery/shapes/variant-b/recovery.shapes';

/** Variant B, the older description. */
export const VARIANT_B = {
  providers: [
    { provide: ListConventions, useValue: { tag: false } satisfies ListConventions },
    { provide: PasswordRules, useValue: VARIANT_B_PASSWORD_RULES },
    { provide: LinkedKinds, useValue: { kinds: ['pdf'] } satisfies LinkedKinds },
    { provide: AuthShapes, useClass: VariantAuthShapes },
    { provide: SecondFactorStep, useClass: NoSecondFactor },
    { provide: InvitationsShapes, useClass: VariantInvitationsShapes },
    { provide: LoginLinksShapes, useClass: VariantLoginLinksShapes },
    { provide: OrganisationsShapes, useClass: VariantOrganisationsShapes },
    { provide: RecoveryShapes, useClass: VariantRecoveryShapes },
    { provide: UsersShapes, useClass: VariantUsersShapes },
  ],
  imports: [
    EndOfVariantModule,
    MigratedUsersModule,
    UserWithContactModule,
    NotImplementedModule,
    AclRoutesModule,
  ],
} satisfies ModuleMetadata;
