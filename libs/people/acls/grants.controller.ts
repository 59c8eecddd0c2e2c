import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { PROOF_REFUSALS } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { TooManyRequests } from '@app/platform/errors/api-error';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import {
  Access,
  ChecksProof,
  Ctx,
  PathId,
  PathRecords,
  Versioned,
} from '@app/security/access/access.decorators';
import type { PathRecord } from '@app/security/access/access.types';
import type { Caller } from '@app/security/access/caller';
import { isInForce } from '@app/security/access/used-grant';
import type { Proven } from '@app/security/passwords/step-up-proof';
import type { GrantDetails, GrantOrder } from './grant.columns';
import type { GrantChanges, NewGrant } from './grant.types';
import { type GrantSearch, GrantsService } from './grants.service';
import { GrantsShapes } from './grants.shapes';

const GRANT: PathRecord = { name: 'Grant', table: 'acls', condition: isInForce('record') };

/** The organisation of the path is the grantor or the grantee. */
const OF_EITHER: PathRecord = {
  ...GRANT,
  condition: `${isInForce('record')} AND $3 IN (record.organisation_id, record.grantee_id)`,
};

@Controller('organisations/:organisationId/grants')
@Versioned({ table: 'acls', parameter: 'grantId' })
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Access('grants.list', 'List the grants to read and to manage that an organisation gave and received')
  @RespondsWith(200, GrantsShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(GrantsShapes, 'list') request: ListRequest<GrantOrder, GrantSearch>,
  ): Promise<Page<GrantDetails>> {
    return this.grants.list(caller, organisationId, request);
  }

  @Post()
  @ChecksProof()
  @Access(
    'grants.create',
    'Let another organisation read or manage this one',
    'One grant for each organisation that receives. `manage` also covers the details of the ' +
      'organisation and its records; people, credentials and contacts it never changes. A customer ' +
      'begins or prolongs at most 60 grants in an hour, whatever organisations give them. With ' +
      'STEP_UP it asks for the proof before a grant that manages is made. Keys give grants to read ' +
      'alone, of which the System contacts are told. The organisation of the operator gives none ' +
      'to manage.',
  )
  @RespondsWith(201, GrantsShapes, 'single')
  @Refuses(new TooManyRequests(3600), ...PROOF_REFUSALS)
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(GrantsShapes, 'create') input: NewGrant & Proven,
  ): Promise<GrantDetails> {
    return this.grants.create(caller, organisationId, input);
  }

  @Get(':grantId')
  @PathRecords({ grantId: { ...OF_EITHER, sharedWith: ['organisation_id', 'grantee_id'] } })
  @Access(
    'grants.read',
    'Read a grant',
    'For managers of the organisation that gives and of the one that receives.',
  )
  @RespondsWith(200, GrantsShapes, 'single')
  read(@Ctx() caller: Caller, @PathId('grantId') id: number): Promise<GrantDetails> {
    return this.grants.read(caller, id);
  }

  @Put(':grantId')
  @ChecksProof()
  @PathRecords({ grantId: { ...OF_EITHER, organisation: 'organisation_id' } })
  @Access(
    'grants.update',
    'Change what a grant is for, or when it ends',
    'For managers of the organisation that gives. Who lets it manage counts as who gave it. With ' +
      'STEP_UP it asks for the proof where the grant begins to manage, or manages for longer; keys ' +
      'do neither. What begins or lasts longer counts as in POST.',
  )
  @NoContent()
  @Refuses(new TooManyRequests(3600), ...PROOF_REFUSALS)
  update(
    @Ctx() caller: Caller,
    @PathId('grantId') id: number,
    @RequestBody(GrantsShapes, 'update') input: GrantChanges & Proven,
  ): Promise<void> {
    return this.grants.update(caller, id, input);
  }

  @Delete(':grantId')
  @PathRecords({ grantId: { ...OF_EITHER, sharedWith: ['organisation_id', 'grantee_id'] } })
  @Access(
    'grants.delete',
    'End a grant',
    'For managers of the organisation that gives and of the one that receives. The next request of whoever used it is refused.',
  )
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('grantId') id: number): Promise<void> {
    return this.grants.delete(caller, id);
  }
}

/** The teams that use a grant. The path names the grantee. */
@Controller('organisations/:organisationId/grants/:grantId/teams')
@PathRecords({
  grantId: { ...GRANT, owner: 'grantee_id', within: 'organisationId' },
  teamId: { name: 'Team', table: 'teams', within: 'organisationId' },
})
export class GrantTeamsController {
  constructor(private readonly grants: GrantsService) {}

  @Put(':teamId')
  @Access(
    'grants.updateTeams',
    'Let the members of a team use a grant that the organisation received',
    'From the first team on only members of its teams use the grant, and the CUSTADMINs of the organisation, also when the last team is gone.',
  )
  @NoContent()
  add(@Ctx() caller: Caller, @PathId('grantId') id: number, @PathId('teamId') teamId: number): Promise<void> {
    return this.grants.addTeam(caller, id, teamId);
  }

  @Delete(':teamId')
  @Access('grants.updateTeams', 'Let the members of a team use a grant no more')
  @NoContent()
  remove(
    @Ctx() caller: Caller,
    @PathId('grantId') id: number,
    @PathId('teamId') teamId: number,
  ): Promise<void> {
    return this.grants.removeTeam(caller, id, teamId);
  }
}
