-- A second role, which only reads and writes rows: the service runs as it, and only the owner of the database migrates. So
-- nothing in the service can change the schema, or a row of the audit log. docs/audit.md says how to use it.
-- Run it once as a superuser, connected to the database of the service, before or after the first migration:
--   psql "$SUPERUSER_URL" --set ON_ERROR_STOP=1 --single-transaction --file deploy/postgres-service-role.sql
-- Then give the role a password: \password account_service
-- graphile-worker closes its tables to other roles by row-level security; no table of the service uses that.
CREATE ROLE account_service LOGIN BYPASSRLS;
GRANT CONNECT, TEMPORARY ON DATABASE account TO account_service;

-- What later migrations create.
ALTER DEFAULT PRIVILEGES FOR ROLE account GRANT USAGE ON SCHEMAS TO account_service;
ALTER DEFAULT PRIVILEGES FOR ROLE account GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO account_service;
ALTER DEFAULT PRIVILEGES FOR ROLE account GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO account_service;

-- What exists.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname IN ('public', 'graphile_worker') LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO account_service', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO account_service', name);
    EXECUTE format('GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA %I TO account_service', name);
  END LOOP;
  -- The triggers write it with the rights of the owner.
  IF to_regclass('public.audit_log') IS NOT NULL THEN
    REVOKE INSERT, UPDATE, DELETE ON public.audit_log FROM account_service;
  END IF;
END $$;
