import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates what the migration before added: reading all rows without a transaction holds up nobody. */
export class ValidateActingWithoutUser1795710001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations VALIDATE CONSTRAINT invitations_one_inviter');
    await runner.query(
      'ALTER TABLE invitations VALIDATE CONSTRAINT invitations_inviting_organisation_exists',
    );
    await runner.query('ALTER TABLE variant_usage VALIDATE CONSTRAINT variant_usage_credential_known');
  }

  down(): Promise<void> {
    // The migration before removes the constraints.
    return Promise.resolve();
  }
}
