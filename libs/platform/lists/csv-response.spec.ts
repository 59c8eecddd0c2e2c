import { Shown } from '../dto/shapes';
import { csvColumnsOf } from './csv-response';

class OwnerResponse {
  @Shown() id!: number;
  @Shown({ type: String, nullable: true }) name!: string | null;
}

class MemberResponse {
  @Shown({ description: 'an address' }) email!: string;
  @Shown({ type: [String] }) roles!: string[];
  @Shown({ type: OwnerResponse, nullable: true }) organisation!: object | null;
}

class TeamResponse {
  @Shown() id!: number;
  @Shown({ type: OwnerResponse }) owner!: OwnerResponse;
  @Shown({ type: [MemberResponse] }) members!: MemberResponse[];
  @Shown({ type: [OwnerResponse] }) guests!: OwnerResponse[];
  @Shown({ type: 'object', additionalProperties: true }) params!: object;
  @Shown({ enum: ['nl', 'en'] }) language!: string;
  @Shown({ type: 'array', items: { type: 'object' } }) shortcuts!: object[];
  @Shown({ type: OwnerResponse }) owningOrganisation!: OwnerResponse;
  hidden!: string;
}

class LoopResponse {
  @Shown({ type: LoopResponse }) parent!: object;
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
