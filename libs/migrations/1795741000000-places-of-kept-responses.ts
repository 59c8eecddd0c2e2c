import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers the responses of each caller, so that one look-up finds the one that makes room. To count a thousand took most of the
 * time of a request with `Idempotency-Key`. The lock gives each number once.
 */
export class PlacesOfKeptResponses1795741000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLACES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(COUNTED);
  }
}

const PLACES = `
  ALTER TABLE kept_responses ADD COLUMN place integer;
  UPDATE kept_responses kept SET place = numbered.place FROM (
    SELECT id, row_number() OVER (PARTITION BY user_id, service_key_id ORDER BY created_at, id) AS place FROM kept_responses
  ) numbered WHERE numbered.id = kept.id;
  ALTER TABLE kept_responses ALTER COLUMN place SET NOT NULL;
  COMMENT ON COLUMN kept_responses.place IS 'Counts the responses of the caller.';

  CREATE FUNCTION take_place_of_kept_response() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.user_id IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(hashtext('kept_responses.user_id'), NEW.user_id);
      NEW.place := 1 + coalesce((SELECT max(place) FROM kept_responses WHERE user_id = NEW.user_id), 0);
    ELSE
      PERFORM pg_advisory_xact_lock(hashtext('kept_responses.service_key_id'), NEW.service_key_id);
      NEW.place := 1 + coalesce((SELECT max(place) FROM kept_responses WHERE service_key_id = NEW.service_key_id), 0);
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER kept_responses_place BEFORE INSERT ON kept_responses
    FOR EACH ROW EXECUTE FUNCTION take_place_of_kept_response();

  CREATE OR REPLACE FUNCTION make_room_of_caller() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.user_id IS NOT NULL THEN
      DELETE FROM kept_responses WHERE user_id = NEW.user_id AND place = NEW.place - TG_ARGV[0]::integer;
    ELSE
      DELETE FROM kept_responses WHERE service_key_id = NEW.service_key_id AND place = NEW.place - TG_ARGV[0]::integer;
    END IF;
    RETURN NULL;
  END $$;

  DROP INDEX kept_responses_of_user, kept_responses_of_service_key;
  CREATE INDEX kept_responses_of_user ON kept_responses (user_id, place);
  CREATE INDEX kept_responses_of_service_key ON kept_responses (service_key_id, place);
`;

const COUNTED = `
  CREATE OR REPLACE FUNCTION make_room_of_caller() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    caller text := CASE WHEN NEW.user_id IS NULL THEN 'service_key_id' ELSE 'user_id' END;
    caller_id integer := coalesce(NEW.user_id, NEW.service_key_id);
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext(TG_NAME || caller), caller_id);
    EXECUTE format(
      'DELETE FROM %1$I WHERE id IN (
         SELECT id FROM %1$I WHERE %2$I = $1 ORDER BY created_at DESC, id DESC OFFSET $2)', TG_TABLE_NAME, caller
    ) USING caller_id, TG_ARGV[0]::integer;
    RETURN NULL;
  END $$;
  DROP TRIGGER kept_responses_place ON kept_responses;
  DROP FUNCTION take_place_of_kept_response;
  ALTER TABLE kept_responses DROP COLUMN place;
  CREATE INDEX kept_responses_of_user ON kept_responses (user_id, created_at);
  CREATE INDEX kept_responses_of_service_key ON kept_responses (service_key_id, created_at);
`;
