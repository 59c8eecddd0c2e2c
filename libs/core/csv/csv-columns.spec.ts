import { ApiProperty } from '@nestjs/swagger';
import { csvColumnsOf } from './csv-columns';

class OwnerReply {
  @ApiProperty() id!: number;
  @ApiProperty({ type: String, nullable: true }) name!: string | null;
}

class MemberReply {
  @ApiProperty({ description: 'an address' }) email!: string;
  @ApiProperty({ type: [String] }) roles!: string[];
  @ApiProperty({ type: () => OwnerReply, nullable: true }) organisation!: object | null;
}

class TeamReply {
  @ApiProperty() id!: number;
  @ApiProperty({ type: OwnerReply }) owner!: OwnerReply;
  @ApiProperty({ type: [MemberReply] }) members!: MemberReply[];
  @ApiProperty({ type: () => [OwnerReply] }) guests!: OwnerReply[];
  @ApiProperty({ type: 'object', additionalProperties: true }) params!: object;
  @ApiProperty({ enum: ['nl', 'en'] }) language!: string;
  @ApiProperty({ type: 'array', items: { type: 'object' } }) shortcuts!: object[];
  @ApiProperty() owningOrganisation!: OwnerReply;
  undocumented!: string;
}

class LoopReply {
  @ApiProperty({ type: () => LoopReply }) parent!: object;
}

it('lists the documented fields in their order, nested classes as dotted ones', () => {
  expect(csvColumnsOf(TeamReply)).toEqual([
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
  expect(() => csvColumnsOf(LoopReply)).toThrow('LoopReply contains itself');
  expect(() => csvColumnsOf(class Bare {})).toThrow('Bare documents no field');
});
