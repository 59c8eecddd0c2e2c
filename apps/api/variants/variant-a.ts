import { ApiKeysModule } from '@app/apikeys/apikeys.module';
import { SecondFactorStep } from '@app/auth/second-factor';
import { AuthShapes } from '@app/auth/shapes/auth.shapes';
import { AuthShapesA } from '@app/auth/shapes/variant-a/auth.shapes';
import { TotpSecondFactor } from '@app/auth/variant-a/totp-second-factor';
import { TwoFactorModule } from '@app/auth/variant-a/two-factor.module';
import { InvitationsShapes } from '@app/invitations/shapes/invitations.shapes';
import { InvitationsShapesA } from '@app/invitations/shapes/variant-a/invitations.shapes';
import { OrganisationsShapes } from '@app/organisations/shapes/organisations.shapes';
import { OrganisationsShapesA } from '@app/organisations/shapes/variant-a/organisations.shapes';
import { ForeignAreasModuleA } from '@app/foreign-areas/variant-a/foreign-areas.module';
import { ContactsShapes } from '@app/contacts/shapes/contacts.shapes';
import { ContactsShapesA } from '@app/contacts/shapes/variant-a/contacts.shapes';
import { PreferencesModule } from '@app/preferences/preferences.module';
import { SshKeysShapes } from '@app/sshkeys/shapes/sshkeys.shapes';
import { SshKeysShapesA } from '@app/sshkeys/shapes/variant-a/sshkeys.shapes';
import { TeamsShapes } from '@app/teams/shapes/teams.shapes';
import { TeamsShapesA } from '@app/teams/shapes/variant-a/teams.shapes';
import { RecoveryShapes } from '@app/recovery/shapes/recovery.shapes';
import { RecoveryShapesA } from '@app/recovery/shapes/variant-a/recovery.shapes';
import { SoftLoginModule } from '@app/recovery/variant-a/soft-login.module';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import { UsersShapesA } from '@app/users/shapes/variant-a/users.shapes';
import { Tokens2faModule } from '@app/tokens2fa/tokens2fa.module';
import { NoMigratedUsersModuleA } from '@app/users/variant-a/no-migrated-users.module';
import type { Variant } from './variant';

/** Variant A, the primary description. */
export const VARIANT_A: Variant = {
  providers: [
    { provide: AuthShapes, useClass: AuthShapesA },
    { provide: SecondFactorStep, useClass: TotpSecondFactor },
    { provide: InvitationsShapes, useClass: InvitationsShapesA },
    { provide: OrganisationsShapes, useClass: OrganisationsShapesA },
    { provide: ContactsShapes, useClass: ContactsShapesA },
    { provide: SshKeysShapes, useClass: SshKeysShapesA },
    { provide: TeamsShapes, useClass: TeamsShapesA },
    { provide: RecoveryShapes, useClass: RecoveryShapesA },
    { provide: UsersShapes, useClass: UsersShapesA },
  ],
  modules: [
    NoMigratedUsersModuleA,
    TwoFactorModule,
    SoftLoginModule,
    Tokens2faModule,
    ForeignAreasModuleA,
    ApiKeysModule,
    PreferencesModule,
  ],
};
