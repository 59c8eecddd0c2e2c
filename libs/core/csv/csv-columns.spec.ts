import { ApiProperty } from '@nestjs/swagger';
import { csvColumnsOf } from './csv-columns';

class OwnerResponse {
  @ApiProperty() id!: number;
  @ApiProperty({ type: String, nullable: true }) name!: string | null;
}

class MemberResponse {
  @ApiProperty({ description: 'an address' }) email!: string;
  @ApiProperty({ type: [String] }) roles!: string[];
  @ApiProperty({ type: () => OwnerResponse, nullable: true }) organisation!: object | null;
}

class TeamResponse {
  @ApiProperty() id!: number;
  @ApiProperty({ type: OwnerResponse }) owner!: OwnerResponse;
  @ApiProperty({ type: [MemberResponse] }) members!: MemberResponse[];
  @ApiProperty({ type: () => [OwnerResponse] }) guests!: OwnerResponse[];
  @ApiProperty({ type: 'object', additionalProperties: true }) params!: object;
  @ApiProperty({ enum: ['nl', 'en'] }) language!: string;
  @ApiProperty({ type: 'array', items: { type: 'object' } }) shortcuts!: object[];
  @ApiProperty() owningOrganisation!: OwnerResponse;
  undocumented!: string;
}

class LoopResponse {
  @ApiProperty({ type: () => LoopResponse }) parent!: object;
}

it('lists the documented fields in their order, nested classes as dotted ones', () => {
  expect(csvColumnsOf(TeamResponse)).toEqual([
    'id',
    'owner.id',
    'owner.name',
    'members.email',
    'members.roles',
    'members.organisation.id',
    'members.organisation.name',
    'guests.id',
    'guests.name',
    'params',
    'language',
    'shortcuts',
    'owningOrganisation.id',
    'owningOrganisation.name',
  ]);
});

it('refuses what has no columns', () => {
  expect(() => csvColumnsOf(LoopResponse)).toThrow('LoopResponse contains itself');
  expect(() => csvColumnsOf(class Bare {})).toThrow('Bare documents no field');
});
