import { Injectable } from '@nestjs/common';
import { CleanUp } from '../jobs/clean-up';

@Injectable()
export class MailBudgetCleanUp extends CleanUp {
  readonly position = 65;
  readonly statements = [`DELETE FROM mail_budgets WHERE hour < now() - interval '1 day'`];
}
