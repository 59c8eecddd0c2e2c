import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';

@Injectable()
export class DocumentsCleanUp extends CleanUp {
  readonly position = 70;
  readonly statements = [`DELETE FROM document_links WHERE expires_at < now()`];
}
