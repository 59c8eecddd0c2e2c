import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { TeamEntity } from './team-entity.entity';
import { TeamMember } from './team-member.entity';
import { addToTeams } from './team-membership';
import { Team } from './team.entity';
import { ADD_TEAM_ENTITY, TEAM_BY_ID, teamPage } from './team.queries';
import { TeamContents } from './team-contents';
import type { TeamDetails, TeamEntityTie, TeamEntityKind, TeamInput, TeamOrder } from './team.types';

/** The rules of teams: who is in which, and what each works on. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly contents: TeamContents,
  ) {}

  list(organisationId: number, request: ListRequest<TeamOrder>): Promise<Page<TeamDetails>> {
    return this.paginator.page(request, teamPage(organisationId, request), (team) =>
      this.contents.completed(team),
    );
  }

  async read(id: number): Promise<TeamDetails> {
    const team = await this.queries.row(TEAM_BY_ID, [id]);
    if (team === undefined) throw new NotFound('Team');
    return this.contents.completed(team);
  }

  async create(organisationId: number, input: TeamInput): Promise<TeamDetails> {
    const id = await this.transactions.run((manager) =>
      insertReturningId(manager, Team, { organisationId, ...input }),
    );
    return this.read(id);
  }

  async update(id: number, { name, autoAddSshkey }: TeamInput): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.update(Team, { id }, { name, autoAddSshkey });
      if (affected === 0) throw new NotFound('Team');
    });
  }

  /** Memberships and ties to entities go with it; the users and entities stay. */
  async delete(id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(Team, { id });
      if (affected === 0) throw new NotFound('Team');
    });
  }

  /** A user who is a member already stays one. */
  async addMember(organisationId: number, id: number, userId: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      await assertUserExists(manager, userId);
      await addToTeams(manager, organisationId, userId, [id]);
    });
  }

  async removeMember(id: number, userId: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(TeamMember, { teamId: id, userId });
      if (affected === 0) throw new NotFound('Team member');
    });
  }

  /** What the team works on already is answered as it is. */
  async addEntity(teamId: number, kind: TeamEntityKind, objectId: number): Promise<TeamEntityTie> {
    return this.transactions.run(async (manager) => {
      const [row] = await manager.query<{ id: number }[]>(ADD_TEAM_ENTITY, [teamId, kind, objectId]);
      if (row === undefined) {
        throw ValidationFailed.on(
          'objectId',
          fault('DOES_NOT_EXIST', 'This does not exist or is out of reach of the organisation.'),
        );
      }
      return { id: row.id, kind, objectId };
    });
  }

  async removeEntity(teamId: number, kind: TeamEntityKind, objectId: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(TeamEntity, { teamId, kind, objectId });
      if (affected === 0) throw new NotFound('Team entity');
    });
  }
}

/** A deletion removes the user's memberships: the lock makes it and a new membership wait for each other. */
async function assertUserExists(manager: EntityManager, userId: number): Promise<void> {
  const rows = await manager.query<unknown[]>(
    'SELECT 1 FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE',
    [userId],
  );
  if (rows.length === 0) throw new NotFound('User');
}
