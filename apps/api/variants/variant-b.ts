import { SecondFactorStep } from '@app/auth/second-factor';
import { AuthShapes } from '@app/auth/shapes/auth.shapes';
import { AuthShapesB } from '@app/auth/shapes/variant-b/auth.shapes';
import { NoSecondFactor } from '@app/auth/variant-b/no-second-factor';
import { InvitationsShapes } from '@app/invitations/shapes/invitations.shapes';
import { InvitationsShapesB } from '@app/invitations/shapes/variant-b/invitations.shapes';
import { OrganisationsShapes } from '@app/organisations/shapes/organisations.shapes';
import { OrganisationsShapesB } from '@app/organisations/shapes/variant-b/organisations.shapes';
import { ForeignAreasModuleB } from '@app/foreign-areas/variant-b/foreign-areas.module';
import { OrganisationContactsModuleB } from '@app/contacts/variant-b/organisation-contacts.module';
import { ContactsShapes } from '@app/contacts/shapes/contacts.shapes';
import { ContactsShapesB } from '@app/contacts/shapes/variant-b/contacts.shapes';
import { SshKeysShapes } from '@app/sshkeys/shapes/sshkeys.shapes';
import { SshKeysShapesB } from '@app/sshkeys/shapes/variant-b/sshkeys.shapes';
import { TeamsShapes } from '@app/teams/shapes/teams.shapes';
import { TeamsShapesB } from '@app/teams/shapes/variant-b/teams.shapes';
import { AclsRoutesModuleB } from '@app/acls/variant-b/acls-routes.module';
import { EntitiesRoutesModuleB } from '@app/entities/variant-b/entities-routes.module';
import { NotificationsRoutesModuleB } from '@app/notifications/variant-b/notifications-routes.module';
import { RecoveryShapes } from '@app/recovery/shapes/recovery.shapes';
import { RecoveryShapesB } from '@app/recovery/shapes/variant-b/recovery.shapes';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import { UsersShapesB } from '@app/users/shapes/variant-b/users.shapes';
import { UserWithContactModuleB } from '@app/invitations/variant-b/user-with-contact.module';
import { MigratedUsersModuleB } from '@app/users/variant-b/migrated-users.module';
import type { Variant } from './variant';

/** Variant B, the older description. */
export const VARIANT_B: Variant = {
  providers: [
    { provide: AuthShapes, useClass: AuthShapesB },
    { provide: SecondFactorStep, useClass: NoSecondFactor },
    { provide: InvitationsShapes, useClass: InvitationsShapesB },
    { provide: OrganisationsShapes, useClass: OrganisationsShapesB },
    { provide: ContactsShapes, useClass: ContactsShapesB },
    { provide: SshKeysShapes, useClass: SshKeysShapesB },
    { provide: TeamsShapes, useClass: TeamsShapesB },
    { provide: RecoveryShapes, useClass: RecoveryShapesB },
    { provide: UsersShapes, useClass: UsersShapesB },
  ],
  modules: [
    MigratedUsersModuleB,
    UserWithContactModuleB,
    ForeignAreasModuleB,
    NotificationsRoutesModuleB,
    AclsRoutesModuleB,
    EntitiesRoutesModuleB,
    OrganisationContactsModuleB,
  ],
};
