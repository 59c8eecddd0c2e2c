import { ApiProperty } from '@nestjs/swagger';
import type { OrganisationUser, SubOrganisation } from '../../organisation.values';
import { CountryReply, countryReply, emailOf } from '../parts';

class SubOrganisationUserB {
  @ApiProperty({ type: 'integer', example: 34 })
  id!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  fullName!: string;

  @ApiProperty({ example: 'ok' })
  status!: string;
}

/** An organisation beneath another in Variant B. */
export class SubOrganisationReplyB {
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

  @ApiProperty({ type: [SubOrganisationUserB] })
  users!: SubOrganisationUserB[];
}

export const subOrganisationReplyB = (organisation: SubOrganisation): SubOrganisationReplyB => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  country: countryReply(organisation.countryCode),
  users: organisation.users.map(userReply),
});

const userReply = (user: OrganisationUser): SubOrganisationUserB => ({
  id: user.id,
  email: emailOf(user.username),
  fullName: `${user.firstName} ${user.lastName}`,
  status: user.enabled ? 'ok' : 'deactivated',
});
