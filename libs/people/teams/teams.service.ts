import { Injectable } from '@nestjs/common';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { assertFound, fieldError, found, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import {
  ADD_TEAM_ENTITY,
  isLarge,
  sharesGrantsOfTeams,
  SMALL_TEAM_COLUMNS,
  TEAM_BY_ID,
  type TeamDetails,
  type TeamOrder,
  teamPage,
  teamReaderValues,
} from './team.columns';
import { Team, TeamEntity, TeamMember } from './team.entity';
import type { TeamEntityTie, TeamInput } from './team.types';
import { addToTeams, assertMayAddMembers, assertOwnRecord } from './team-membership';

/** The rules of teams, their members and entities. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
  ) {}

  async list(
    caller: Caller,
    organisationId: number,
    request: ListRequest<TeamOrder>,
  ): Promise<Page<TeamDetails>> {
    const whole = () => this.paginator.page(request, teamPage(caller, organisationId, request));
    if (request.mode === 'stream') return whole();
    const small = teamPage(caller, organisationId, request, SMALL_TEAM_COLUMNS);
    const page = await this.paginator.page(request, small);
    return page.items.some(isLarge) ? this.paginator.withLargeRecordPermit(request.reader, whole) : page;
  }

  async read(caller: Caller, id: number): Promise<TeamDetails> {
    const values = [...teamReaderValues(caller), id];
    const small = await this.queries.row(TEAM_BY_ID.small, values);
    const team =
      small !== undefined && isLarge(small)
        ? await this.paginator.withLargeRecordPermit(caller.client, () =>
            this.queries.row(TEAM_BY_ID.whole, values),
          )
        : small;
    if (team === undefined) throw new NotFound('Team');
    return team;
  }

  async create(caller: Caller, organisationId: number, input: TeamInput): Promise<TeamDetails> {
    return this.transactions.run(caller, async (manager) => {
      const id = await insertReturningId(manager, Team, { organisationId, ...input });
      return found(await rowIn(manager, TEAM_BY_ID.small, [...teamReaderValues(caller), id]), 'Team');
    });
  }

  async update(ctx: RequestContext, id: number, { name, autoAddSshkey }: TeamInput): Promise<void> {
    await this.transactions.run(ctx, async (manager) => {
      await assertNameFits(name, async () => (await manager.findOneBy(Team, { id }))?.name);
      await assertFound(manager.update(Team, { id }, { name, autoAddSshkey }), 'Team');
    });
  }

  /** Also deletes memberships and relations to entities; users and entities remain. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, (manager) => assertFound(manager.delete(Team, { id }), 'Team'));
  }

  async addMember(caller: Caller, organisationId: number, id: number, userId: number): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await assertMayAddMembers(manager, caller, [id]);
      await lockOwner(manager, { organisationId, userId });
      await addToTeams(manager, organisationId, userId, [id]);
    });
  }

  async removeMember(ctx: RequestContext, id: number, userId: number): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      assertFound(manager.delete(TeamMember, { teamId: id, userId }), 'Team member'),
    );
  }

  /**
   * Returns an existing relation unchanged. By a grant only entities of the organisation itself are added:
   * grants do not pass on.
   */
  async addEntity(
    caller: Caller,
    teamId: number,
    { kind, objectId }: Omit<TeamEntityTie, 'id'>,
  ): Promise<TeamEntityTie> {
    return this.transactions.run(caller, async (manager) => {
      const values = [teamId, kind, objectId, !sharesGrantsOfTeams(caller)];
      const [row] = await manager.query<{ id: number }[]>(ADD_TEAM_ENTITY, values);
      if (row === undefined) {
        throw ValidationFailed.on(
          'objectId',
          fieldError('DOES_NOT_EXIST', 'This does not exist or is out of reach of the organisation.'),
        );
      }
      return { id: row.id, kind, objectId };
    });
  }

  async removeEntity(
    caller: Caller,
    teamId: number,
    { kind, objectId }: Omit<TeamEntityTie, 'id'>,
  ): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await assertOwnRecord(manager, caller, teamId, { kind, objectId });
      await assertFound(manager.delete(TeamEntity, { teamId, kind, objectId }), 'Team entity');
    });
  }
}
