import { Controller, Injectable, Module, Post } from '@nestjs/common';
import { UserEvents } from '@app/lifecycle/user-events';
import { addFirstContact } from '@app/people/contacts/first-contact';
import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { assertRolesGivenByLogin, rolesOf, validateRoles } from '@app/people/users/given-roles';
import { ProvedNames } from '@app/people/users/proved-names';
import { PersonNameField, UsernameField } from '@app/people/users/shapes/user.decorators';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import type { UserDetails } from '@app/people/users/user.columns';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import { fullNameOf } from '@app/people/users/user-names';
import { createUser } from '@app/people/users/user-rows';
import { UsersModule } from '@app/people/users/users.module';
import { UsersService } from '@app/people/users/users.service';
import { Transactions } from '@app/platform/database/transactions';
import { TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { Access, type Caller, Ctx, PathId } from '@app/security/access/access.decorators';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import {
  assertNotUserName,
  PasswordField,
  VARIANT_B_PASSWORD_RULES,
} from '@app/security/passwords/password-rules';
import { PasswordsModule } from '@app/security/passwords/passwords.module';

/** A user to register without an invitation. */
interface UserToRegister {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  /** Unvalidated names of roles. */
  readonly roles: readonly string[];
  readonly language: Language;
}

/** Registers a user with a first contact and a password that an admin chose, without an invitation. */
@Injectable()
class UserWithContactService {
  constructor(
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly events: UserEvents,
    private readonly names: ProvedNames,
  ) {}

  async create(caller: Caller, organisationId: number, input: UserToRegister): Promise<UserDetails> {
    const { username, firstName, lastName, language } = input;
    assertRolesGivenByLogin(caller, input.roles);
    const error = validateRoles(caller, organisationId, input.roles);
    if (error !== undefined) throw ValidationFailed.on('defaultRoles', error);
    const roles = rolesOf(input.roles);
    assertNotUserName(input.password, username);
    const passwordHash = await this.hasher.hash(input.password, caller.client);
    const id = await this.transactions.run(caller, async (manager) => {
      await this.names.free(manager, username);
      const user = { organisationId, username, firstName, lastName, language, roles, passwordHash };
      const userId = await createUser(manager, user);
      await addFirstContact(manager, userId, username);
      await this.events.announce(manager, {
        kind: 'created',
        userId,
        organisationId,
        fullName: fullNameOf(user),
        actorId: caller.userId,
      });
      return userId;
    });
    return this.users.read(id, caller);
  }
}

/** Body of `POST …/userandcontact`. */
class CreateUserWithContactDto {
  @UsernameField({ example: 'jan@example.nl', isNew: true }) username!: string;
  @PersonNameField(USER.firstName) firstName!: string;
  @PersonNameField(USER.lastName) lastName!: string;
  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES }) password!: string;
  @TextField({ max: 1000, ...USER.rolesAsText }) defaultRoles?: string;
  @WordField({ words: LANGUAGES, default: 'nl', ...USER.language }) language?: Language;
}

/** The request shape; the response is that of a user. */
export class UserWithContactShapes {
  /** Body of `POST …/userandcontact`. */
  readonly create = createShape(CreateUserWithContactDto, (dto): UserToRegister => ({
    username: dto.username,
    firstName: dto.firstName,
    lastName: dto.lastName,
    password: dto.password,
    roles: parseCsvList(dto.defaultRoles ?? ''),
    language: dto.language ?? 'nl',
  }));
}

@Controller('organisations/:organisationId/userandcontact')
class UserWithContactController {
  constructor(private readonly registrations: UserWithContactService) {}

  @Post()
  @Access('users.createMigrated', 'Create a user with an e-mail contact')
  @RespondsWith(201, UsersShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(UserWithContactShapes, 'create') input: UserToRegister,
  ): Promise<UserDetails> {
    return this.registrations.create(caller, organisationId, input);
  }
}

/** `…/userandcontact` of Variant B. It is not part of users, because contacts import users. */
@Module({
  imports: [UsersModule, PasswordsModule],
  controllers: [UserWithContactController],
  providers: [UserWithContactService, UserWithContactShapes],
})
export class UserWithContactModule {}
