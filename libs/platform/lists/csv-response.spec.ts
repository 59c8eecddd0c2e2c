import { ResponseField } from '../dto/shapes';
import { csvColumnsOf } from './csv-response';

class OwnerResponse {
  @ResponseField() id!: number;
  @ResponseField({ type: 'string', nullable: true }) name!: string | null;
}

class MemberResponse {
  @ResponseField({ description: 'an address' }) email!: string;
  @ResponseField({ type: ['string'] }) roles!: string[];
  @ResponseField({ type: OwnerResponse, nullable: true }) organisation!: object | null;
}

class TeamResponse {
  @ResponseField() id!: number;
  @ResponseField({ type: OwnerResponse }) owner!: OwnerResponse;
  @ResponseField({ type: [MemberResponse] }) members!: MemberResponse[];
  @ResponseField({ type: [OwnerResponse] }) guests!: OwnerResponse[];
  @ResponseField({ type: 'object', additionalProperties: true }) params!: object;
  @ResponseField({ enum: ['nl', 'en'] }) language!: string;
  @ResponseField({ type: 'array', items: { type: 'object' } }) shortcuts!: object[];
  @ResponseField({ type: OwnerResponse }) owningOrganisation!: OwnerResponse;
  hidden!: string;
}

class LoopResponse {
  @ResponseField({ type: LoopResponse }) parent!: object;
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
  expect(() => csvColumnsOf(class Bare {})).toThrow('Bare shows no field');
});
