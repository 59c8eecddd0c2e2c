import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';
import { LIFT } from './suspension.queries';

@Injectable()
export class SuspensionDeletion extends DeletionHandler {
  readonly table = 'suspensions';
  readonly position = 5;
  readonly withUsers = stays('it holds without who made it, whose name is not shown any more');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(LIFT, [organisationId]);
}
