import { Injectable } from '@nestjs/common';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';

@Injectable()
export class OrganisationDeletion extends DeletionHandler {
  readonly table = 'organisations';
  readonly position = 1;
  readonly withUsers = stays('an organisation outlives its users');
  readonly withOrganisation = stays(
    'it is what is deleted: the row stays, with its id; nothing lies beneath it',
  );
}

@Injectable()
export class OrganisationClosureDeletion extends DeletionHandler {
  readonly table = 'organisation_closure';
  readonly position = 2;
  readonly withUsers = stays('it names no users');
  readonly withOrganisation = stays(
    'the tree triggers take the rows away with the change of the organisation',
  );
}
