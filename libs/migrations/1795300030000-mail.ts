import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recipients are written and released by jobs, mail that users cause has a budget, contacts are audited. */
export class Mail1795300030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(DELIVERY_STATUS);
    await runner.query(`
      -- No foreign key: a counter of this hour, cleared away by the worker.
      CREATE TABLE mail_budgets (
        organisation_id integer CONSTRAINT mail_budgets_pkey PRIMARY KEY,
        hour timestamptz NOT NULL,
        used integer NOT NULL,
        granted integer NOT NULL
      );
      CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON contacts
        FOR EACH ROW EXECUTE FUNCTION audit_change('unique_key');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit ON contacts;
      DROP TABLE mail_budgets;
    `);
    await runner.query(OLD_DELIVERY_STATUS);
    await runner.query(OLD_COLUMNS);
  }
}

const COLUMNS = `
  ALTER TABLE notifications
    ADD COLUMN about_user_id integer,
    ADD COLUMN is_expanded boolean NOT NULL DEFAULT true;
  UPDATE notifications SET about_user_id = entity_id WHERE entity_class = 'User';
  CREATE INDEX notifications_about_user ON notifications (about_user_id) WHERE about_user_id IS NOT NULL;
  CREATE INDEX notifications_queued ON notifications (organisation_id, id) WHERE status = 0;

  ALTER TABLE notification_recipients
    ADD COLUMN kind varchar(8) NOT NULL DEFAULT 'contact',
    ADD COLUMN user_id integer,
    ADD COLUMN message varchar(255) NOT NULL DEFAULT '',
    ADD COLUMN queued_at timestamptz,
    ADD CONSTRAINT notification_recipients_kind_known CHECK (kind IN ('contact', 'own', 'gone', 'invited'));
  UPDATE notification_recipients r SET queued_at = r.created_at WHERE status = 'queued';
  UPDATE notification_recipients r SET user_id = c.user_id FROM contacts c WHERE c.id = r.contact_id AND c.user_id IS NOT NULL;
  CREATE INDEX notification_recipients_of_user ON notification_recipients (user_id) WHERE user_id IS NOT NULL;
  DROP INDEX notification_recipients_waiting;
  CREATE INDEX notification_recipients_waiting ON notification_recipients (queued_at) WHERE status = 'queued';
  CREATE INDEX notification_recipients_held ON notification_recipients (notification_id, id)
    WHERE status = 'queued' AND queued_at IS NULL;
  -- Deleted users leave rows without an address, which several of them may.
  DROP INDEX notification_recipients_once;
  CREATE UNIQUE INDEX notification_recipients_once ON notification_recipients (notification_id, type, lower(value))
    WHERE value <> '';
`;

const OLD_COLUMNS = `
  DELETE FROM notification_recipients WHERE value = '';
  DROP INDEX notification_recipients_once, notification_recipients_held, notification_recipients_waiting,
    notification_recipients_of_user, notifications_queued, notifications_about_user;
  CREATE UNIQUE INDEX notification_recipients_once ON notification_recipients (notification_id, type, lower(value));
  CREATE INDEX notification_recipients_waiting ON notification_recipients (created_at) WHERE status = 'queued';
  ALTER TABLE notification_recipients DROP COLUMN queued_at, DROP COLUMN message, DROP COLUMN user_id, DROP COLUMN kind;
  ALTER TABLE notifications DROP COLUMN is_expanded, DROP COLUMN about_user_id;
`;

const statusOf = (notification: string): string => `
  SELECT CASE
    WHEN bool_or(r.status = 'queued') THEN 0
    WHEN NOT coalesce(bool_or(r.status = 'failed'), false) THEN 1
    WHEN bool_or(r.status = 'sent') THEN 3
    ELSE 2 END AS status
  FROM notification_recipients r WHERE r.notification_id = ${notification}`;

/** As before, but that a notification whose recipients are still to be written is queued, and none at all are told. */
const DELIVERY_STATUS = `
  CREATE FUNCTION settle_notification(notification integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- The lock makes the second of two wait, and its next statement then sees what the first has written.
    PERFORM 1 FROM notifications WHERE id = notification FOR NO KEY UPDATE;
    UPDATE notifications SET status = CASE WHEN is_expanded THEN deliveries.status ELSE 0 END
    FROM (${statusOf('notification')}) deliveries
    WHERE id = notification
      AND notifications.status <> CASE WHEN is_expanded THEN deliveries.status ELSE 0 END;
  END $$;
  CREATE OR REPLACE FUNCTION notification_follows_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM settle_notification(NEW.notification_id);
    RETURN NULL;
  END $$;
`;

const OLD_DELIVERY_STATUS = `
  CREATE OR REPLACE FUNCTION notification_follows_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM notifications WHERE id = NEW.notification_id FOR NO KEY UPDATE;
    UPDATE notifications SET status = deliveries.status
    FROM (${statusOf('NEW.notification_id')}) deliveries
    WHERE id = NEW.notification_id AND notifications.status <> deliveries.status;
    RETURN NULL;
  END $$;
  DROP FUNCTION settle_notification;
`;
