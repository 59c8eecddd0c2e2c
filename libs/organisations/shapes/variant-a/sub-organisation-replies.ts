import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import type { OrganisationUser, SubOrganisation } from '../../organisation.values';
import { CountryReply, countryReply, emailOf } from '../parts';

class SubOrganisationUserA {
  @ApiProperty({ type: 'integer', example: 34 })
  id!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  fullName!: string;

  @ApiProperty({ example: 'ok' })
  status!: string;

  @ApiProperty({ example: 'green' })
  statusCategory!: string;
}

/** An organisation beneath another in Variant A. */
export class SubOrganisationReplyA {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;

  @ApiProperty()
  street!: string;

  @ApiProperty()
  houseNumber!: string;

  @ApiProperty()
  zip!: string;

  @ApiProperty()
  city!: string;

  @ApiProperty({ type: CountryReply, nullable: true })
  country!: CountryReply | null;

  @ApiProperty({ description: 'Id of the parent', example: '1' })
  parentOrganisation!: string;

  @ApiProperty({ type: [SubOrganisationUserA] })
  users!: SubOrganisationUserA[];

  @ApiProperty({ type: 'integer', description: 'Open invitations' })
  invitationCount!: number;
}

export const subOrganisationReplyA = (organisation: SubOrganisation): SubOrganisationReplyA => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  country: countryReply(organisation.countryCode),
  parentOrganisation: organisation.parentId === null ? '' : String(organisation.parentId),
  users: organisation.users.map(userReply),
  invitationCount: organisation.openInvitations,
});

function userReply(user: OrganisationUser): SubOrganisationUserA {
  const status = userStatus(user);
  return {
    id: user.id,
    email: emailOf(user.username),
    fullName: `${user.firstName} ${user.lastName}`,
    status,
    statusCategory: statusCategory(status),
  };
}

const userStatus = (user: OrganisationUser) => (user.enabled ? 'ok' : 'deactivated');
