import { Injectable } from '@nestjs/common';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';

@Injectable()
export class RegisteredEntityDeletion extends DeletionHandler {
  readonly table = 'entities';
  readonly position = 120;
  readonly withUsers = stays('it belongs to the organisation');
  readonly withOrganisation = stays('another area of the panel manages it, and says by import where it goes');
}
