import type { ModuleMetadata } from '@nestjs/common';
import { SecondFactorStep } from '@app/auth/second-factor';
import { AuthShapes } from '@app/auth/shapes/auth.shapes';
import { VariantAuthShapes } from '@app/auth/shapes/variant-b/auth.shapes';
import { NoSecondFactor } from '@app/auth/variant-b/no-second-factor';
import { LinkedKinds } from '@app/documents/document-links';
import { InvitationsShapes } from '@app/invitations/shapes/invitations.shapes';
import { VariantInvitationsShapes } from '@app/invitations/shapes/variant-b/invitations.shapes';
import { OrganisationsShapes } from '@app/organisations/shapes/organisations.shapes';
import { VariantOrganisationsShapes } from '@app/organisations/shapes/variant-b/organisations.shapes';
import { NotImplementedModule } from '@app/not-implemented/variant-b/not-implemented.module';
import { OrganisationContactsModule } from '@app/contacts/variant-b/organisation-contacts.controller';
import { AclRoutesModule } from '@app/acls/variant-b/acls.controller';
import { EntityRoutesModule } from '@app/entities/variant-b/entities.controller';
import { NotificationRoutesModule } from '@app/notifications/variant-b/notifications.controller';
import { RecoveryShapes } from '@app/recovery/shapes/recovery.shapes';
import { VariantRecoveryShapes } from '@app/recovery/shapes/variant-b/recovery.shapes';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import { VariantUsersShapes } from '@app/users/shapes/variant-b/users.shapes';
import { UserWithContactModule } from '@app/invitations/variant-b/user-with-contact.module';
import { MigratedUsersModule } from '@app/users/variant-b/migrated-users.module';
import { EndOfVariantModule } from '@app/usage/variant-b/end-of-variant.module';
import { NewPasswordRules, VARIANT_B_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { InterfaceExamples } from '../openapi/describe-operation';
import { ListConventions } from '@app/platform/lists/list-request';
import examples from './variant-b.examples.json';

/** Variant B, the older description. */
export const VARIANT_B = {
  providers: [
    { provide: InterfaceExamples, useValue: { byOperation: examples } satisfies InterfaceExamples },
    { provide: ListConventions, useValue: { tag: false } satisfies ListConventions },
    { provide: NewPasswordRules, useValue: { rules: VARIANT_B_PASSWORD_RULES } satisfies NewPasswordRules },
    { provide: LinkedKinds, useValue: { kinds: ['pdf'] } satisfies LinkedKinds },
    { provide: AuthShapes, useClass: VariantAuthShapes },
    { provide: SecondFactorStep, useClass: NoSecondFactor },
    { provide: InvitationsShapes, useClass: VariantInvitationsShapes },
    { provide: OrganisationsShapes, useClass: VariantOrganisationsShapes },
    { provide: RecoveryShapes, useClass: VariantRecoveryShapes },
    { provide: UsersShapes, useClass: VariantUsersShapes },
  ],
  imports: [
    EndOfVariantModule,
    MigratedUsersModule,
    UserWithContactModule,
    NotImplementedModule,
    NotificationRoutesModule,
    AclRoutesModule,
    EntityRoutesModule,
    OrganisationContactsModule,
  ],
} satisfies ModuleMetadata;
