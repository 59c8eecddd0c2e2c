
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA graphile_worker;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

CREATE TYPE graphile_worker.job_spec AS (
	identifier text,
	payload json,
	queue_name text,
	run_at timestamp with time zone,
	max_attempts smallint,
	job_key text,
	priority smallint,
	flags text[]
);

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE graphile_worker._private_jobs (
    id bigint NOT NULL,
    job_queue_id integer,
    task_id integer NOT NULL,
    payload json DEFAULT '{}'::json NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    max_attempts smallint DEFAULT 25 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    key text,
    locked_at timestamp with time zone,
    locked_by text,
    revision integer DEFAULT 0 NOT NULL,
    flags jsonb,
    is_available boolean GENERATED ALWAYS AS (((locked_at IS NULL) AND (attempts < max_attempts))) STORED NOT NULL,
    CONSTRAINT jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512))),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1))
);

CREATE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$$;

CREATE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
begin
  -- Ensure all the tasks exist
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$$;

CREATE FUNCTION graphile_worker.complete_jobs(job_ids bigint[]) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[]) RETURNS void
    LANGUAGE sql
    AS $$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$$;

CREATE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION graphile_worker.remove_job(job_key text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql STRICT
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$$;

CREATE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION public.audit_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  DECLARE
    actor jsonb;
    ignored text[] := coalesce(TG_ARGV, '{}');
    old_row jsonb := '{}';
    new_row jsonb := '{}';
    known jsonb;
    organisation integer;
    columns_before jsonb;
    columns_after jsonb;
  BEGIN
    IF TG_OP <> 'INSERT' THEN old_row := to_jsonb(OLD) - ignored; END IF;
    IF TG_OP <> 'DELETE' THEN new_row := to_jsonb(NEW) - ignored; END IF;
    IF old_row = new_row THEN RETURN NULL; END IF;

    SELECT jsonb_object_agg(key, old_value) FILTER (WHERE TG_OP <> 'INSERT'),
      jsonb_object_agg(key, new_value) FILTER (WHERE TG_OP <> 'DELETE')
    INTO columns_before, columns_after
    FROM (
      SELECT key,
        CASE WHEN key ~ 'hash|digest|secret|token|password' AND o.value <> 'null' THEN '"(changed)"' ELSE o.value
          END AS old_value,
        CASE WHEN key ~ 'hash|digest|secret|token|password' AND n.value <> 'null' THEN '"(changed)"' ELSE n.value
          END AS new_value
      FROM jsonb_each(old_row) o FULL JOIN jsonb_each(new_row) n USING (key)
      WHERE CASE TG_OP WHEN 'UPDATE' THEN o.value <> n.value ELSE coalesce(o.value, n.value) <> 'null' END
    ) changed;

    known := old_row || new_row;
    organisation := CASE TG_TABLE_NAME WHEN 'organisations' THEN known ->> 'id' ELSE known ->> 'organisation_id' END;
    IF organisation IS NULL AND known ? 'user_id' THEN
      SELECT u.organisation_id INTO organisation FROM users u WHERE u.id = (known ->> 'user_id')::integer;
    ELSIF organisation IS NULL AND known ? 'team_id' THEN
      SELECT t.organisation_id INTO organisation FROM teams t WHERE t.id = (known ->> 'team_id')::integer;
    END IF;

    -- Set for the transaction only; after one that set it, the session shows an empty text.
    actor := nullif(current_setting('audit.actor', true), '')::jsonb;
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      action, table_name, record_id, organisation_id, before, after)
    VALUES ((actor ->> 'userId')::integer, left(actor ->> 'credentialKind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      lower(TG_OP), TG_TABLE_NAME, (known ->> 'id')::integer, organisation, columns_before, columns_after);
    RETURN NULL;
  END $$;

CREATE FUNCTION public.audit_inserts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  DECLARE
    actor jsonb := nullif(current_setting('audit.actor', true), '')::jsonb;
    ignored text[] := coalesce(TG_ARGV, '{}');
  BEGIN
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      action, table_name, record_id, organisation_id, before, after)
    SELECT (actor ->> 'userId')::integer, left(actor ->> 'credentialKind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      'insert', TG_TABLE_NAME, (known ->> 'id')::integer,
      CASE TG_TABLE_NAME WHEN 'organisations' THEN (known ->> 'id')::integer ELSE coalesce(
        (known ->> 'organisation_id')::integer,
        (SELECT u.organisation_id FROM users u WHERE u.id = (known ->> 'user_id')::integer)) END,
      NULL,
      (SELECT jsonb_object_agg(key,
         CASE WHEN key ~ 'hash|digest|secret|token|password' THEN '"(changed)"' ELSE value END)
       FROM jsonb_each(known) WHERE value <> 'null')
    FROM (SELECT to_jsonb(i) - ignored AS known FROM inserted i OFFSET 0) new_rows;
    RETURN NULL;
  END $$;

CREATE FUNCTION public.end_grants_out_of_reach() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        DELETE FROM acls USING gone
        WHERE acls.giver_organisation_id = gone.ancestor_id AND acls.organisation_id = gone.descendant_id;
        RETURN NULL;
      END $$;

CREATE FUNCTION public.end_recovery_codes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        DELETE FROM recovery_codes WHERE user_id = NEW.id;
        RETURN NULL;
      END $$;

CREATE FUNCTION public.is_unused_database() RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
        SELECT NOT EXISTS (SELECT FROM organisations) AND NOT EXISTS (SELECT FROM users)
          AND NOT EXISTS (SELECT FROM audit_log)
      $$;

CREATE FUNCTION public.keep_one_admin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7218450002);
    IF NOT EXISTS (SELECT 1 FROM users
      WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']) THEN
      RAISE check_violation USING CONSTRAINT = 'users_one_admin_remains', MESSAGE = 'no enabled admin would remain';
    END IF;
    RETURN NULL;
  END $$;

CREATE FUNCTION public.limit_rows() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE
    owners integer[];
    owner integer;
    present integer;
  BEGIN
    IF TG_LEVEL = 'STATEMENT' THEN
      EXECUTE format('SELECT array_agg(DISTINCT %1$I ORDER BY %1$I) FROM inserted WHERE %1$I IS NOT NULL AND %2$s',
        TG_ARGV[0], TG_ARGV[3]) INTO owners;
      IF owners IS NULL THEN RETURN NULL; END IF;
      PERFORM pg_advisory_xact_lock(hashtext(TG_ARGV[2]), listed.id) FROM unnest(owners) AS listed (id);
      EXECUTE format('SELECT %1$I, count(*) FROM %2$I WHERE %1$I = ANY ($1) AND %3$s
        GROUP BY 1 HAVING count(*) > $2 LIMIT 1', TG_ARGV[0], TG_TABLE_NAME, TG_ARGV[3])
        USING owners, TG_ARGV[1]::integer INTO owner, present;
      IF owner IS NOT NULL THEN
        RAISE check_violation USING CONSTRAINT = TG_ARGV[2], MESSAGE = format('%s of %s %s', present, TG_ARGV[0], owner);
      END IF;
      RETURN NULL;
    END IF;
    
    EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) USING NEW INTO owner;
    PERFORM pg_advisory_xact_lock(hashtext(TG_ARGV[2]), owner);
    EXECUTE format('SELECT count(*) FROM %I WHERE %I = $1 AND %s', TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[3])
      USING owner INTO present;
    IF present >= TG_ARGV[1]::integer THEN
      RAISE check_violation USING CONSTRAINT = TG_ARGV[2], MESSAGE = format('%s of %s %s', present, TG_ARGV[0], owner);
    END IF;
    RETURN NEW;
  END $_$;

COMMENT ON FUNCTION public.limit_rows() IS 'Arguments: column of the owner, most rows, name of the constraint, which rows count. For a row before, or for a statement after it.';

CREATE FUNCTION public.link_inserted_organisations() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  DECLARE
    link_to_blame text;
  BEGIN
    IF EXISTS (SELECT 1 FROM inserted i JOIN organisations o ON o.id = i.parent_id WHERE o.deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_parent_exists', MESSAGE = 'parent is deleted';
    END IF;
    IF EXISTS (SELECT 1 FROM inserted i JOIN organisations o ON o.id = i.reseller_id WHERE o.deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_reseller_exists', MESSAGE = 'reseller is deleted';
    END IF;

    WITH RECURSIVE link (descendant_id, ancestor_id) AS (
      SELECT id, parent_id FROM inserted WHERE parent_id IS NOT NULL AND deleted_at IS NULL
      UNION
      SELECT id, reseller_id FROM inserted WHERE reseller_id IS NOT NULL AND deleted_at IS NULL
    ), among_inserted AS (
      SELECT descendant_id, ancestor_id FROM link
      UNION
      SELECT a.descendant_id, link.ancestor_id FROM among_inserted a JOIN link ON link.descendant_id = a.ancestor_id
    ), above AS (
      SELECT descendant_id, ancestor_id FROM among_inserted
      UNION
      SELECT a.descendant_id, before.ancestor_id FROM among_inserted a CROSS JOIN LATERAL (
        SELECT c.ancestor_id FROM organisation_closure c WHERE c.descendant_id = a.ancestor_id OFFSET 0
      ) before
    ), added AS (
      -- A circle among the inserted ends at the constraint organisation_closure_no_circle.
      INSERT INTO organisation_closure (descendant_id, ancestor_id) SELECT descendant_id, ancestor_id FROM above
      RETURNING ancestor_id
    ), more AS (
      SELECT ancestor_id, count(*) AS rows FROM added GROUP BY ancestor_id
    )
    UPDATE organisations o SET beneath_count = beneath_count + more.rows FROM more WHERE o.id = more.ancestor_id;

    WITH RECURSIVE way (start, link, id, steps) AS (
      SELECT id, 'parent', parent_id, 2 FROM inserted WHERE parent_id IS NOT NULL
      UNION
      SELECT id, 'reseller', reseller_id, 2 FROM inserted WHERE reseller_id IS NOT NULL
      UNION
      SELECT way.start, way.link, next.id, way.steps + 1
      FROM way CROSS JOIN LATERAL (
        SELECT link.id FROM organisations o CROSS JOIN LATERAL (VALUES (o.parent_id), (o.reseller_id)) link (id)
        WHERE o.id = way.id AND link.id IS NOT NULL OFFSET 0
      ) next
      WHERE way.steps <= 32
    ) SELECT link INTO link_to_blame FROM way WHERE steps > 32 LIMIT 1;
    IF link_to_blame IS NOT NULL THEN
      RAISE check_violation USING CONSTRAINT = format('organisations_%s_depth', link_to_blame),
        MESSAGE = format('too deep over %s', link_to_blame);
    END IF;
    RETURN NULL;
  END $$;

CREATE FUNCTION public.link_organisation(linked integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    branch integer[] := ARRAY(
      SELECT linked UNION ALL SELECT descendant_id FROM organisation_closure WHERE ancestor_id = linked);
  BEGIN
    -- The ways that lead into the branch from outside, each with the member that it enters at.
    WITH members AS (
      SELECT id, parent_id, reseller_id FROM organisations WHERE id = ANY (branch)
    ), entering AS (
      SELECT id AS descendant_id, parent_id AS ancestor_id FROM members
      WHERE parent_id IS NOT NULL AND NOT parent_id = ANY (branch)
      UNION
      SELECT id, reseller_id FROM members
      WHERE reseller_id IS NOT NULL AND NOT reseller_id = ANY (branch)
    ), reached AS (
      SELECT descendant_id, ancestor_id FROM entering
      UNION
      SELECT e.descendant_id, c.ancestor_id FROM entering e
      JOIN organisation_closure c ON c.descendant_id = e.ancestor_id
    ), wanted AS MATERIALIZED (
      SELECT descendant_id, ancestor_id FROM reached
      UNION
      SELECT c.descendant_id, r.ancestor_id FROM reached r
      JOIN organisation_closure c ON c.ancestor_id = r.descendant_id
    ), present AS MATERIALIZED (
      SELECT descendant_id, ancestor_id FROM organisation_closure
      WHERE descendant_id = ANY (branch) AND NOT ancestor_id = ANY (branch)
    ), removed AS (
      DELETE FROM organisation_closure c
      USING (SELECT * FROM present EXCEPT SELECT * FROM wanted) gone
      WHERE c.ancestor_id = gone.ancestor_id AND c.descendant_id = gone.descendant_id
      RETURNING c.ancestor_id
    ), added AS (
      INSERT INTO organisation_closure (descendant_id, ancestor_id)
      SELECT * FROM wanted EXCEPT SELECT * FROM present
      RETURNING ancestor_id
    ), changed AS (
      SELECT ancestor_id, sum(by) AS by FROM (
        SELECT ancestor_id, -1 AS by FROM removed UNION ALL SELECT ancestor_id, 1 FROM added
      ) links GROUP BY ancestor_id HAVING sum(by) <> 0
    )
    UPDATE organisations o SET beneath_count = beneath_count + changed.by
    FROM changed WHERE o.id = changed.ancestor_id;
  END $$;

CREATE FUNCTION public.lock_organisation_tree() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7218450001);
    RETURN NULL;
  END $$;

COMMENT ON FUNCTION public.lock_organisation_tree() IS 'One change of the tree at a time: a circle can be closed by two moves of which neither closes one.';

CREATE FUNCTION public.longest_way_down(start integer) RETURNS integer
    LANGUAGE sql STABLE
    AS $$
    WITH RECURSIVE below (id, steps) AS (
      SELECT start, 1
      UNION
      SELECT link.id, below.steps + 1
      FROM below CROSS JOIN LATERAL (
        SELECT o.id FROM organisations o WHERE o.parent_id = below.id AND o.deleted_at IS NULL
        UNION ALL
        SELECT o.id FROM organisations o WHERE o.reseller_id = below.id AND o.deleted_at IS NULL
      ) link
      WHERE below.steps <= 32
    ) SELECT max(steps) FROM below
  $$;

COMMENT ON FUNCTION public.longest_way_down(start integer) IS 'Organisations on the longest way down from an organisation, itself counted.';

CREATE FUNCTION public.longest_way_up(start integer) RETURNS integer
    LANGUAGE sql STABLE
    AS $$
    WITH RECURSIVE above (id, steps) AS (
      SELECT start, 1
      UNION
      SELECT link.id, above.steps + 1
      FROM above JOIN organisations o ON o.id = above.id
      CROSS JOIN LATERAL (VALUES (o.parent_id), (o.reseller_id)) link (id)
      WHERE link.id IS NOT NULL AND above.steps <= 32
    ) SELECT max(steps) FROM above
  $$;

COMMENT ON FUNCTION public.longest_way_up(start integer) IS 'Organisations on the longest way up to the operator organisation, both ends counted.';

CREATE FUNCTION public.make_room() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext(TG_NAME), NEW.user_id);
        EXECUTE format(
          'DELETE FROM %1$I WHERE id = (SELECT id FROM %1$I WHERE user_id = $1 ORDER BY %2$I, id LIMIT 1)
             AND (SELECT count(*) FROM %1$I WHERE user_id = $1) > $2',
          TG_TABLE_NAME, TG_ARGV[0]
        ) USING NEW.user_id, TG_ARGV[1]::integer;
        RETURN NULL;
      END $_$;

COMMENT ON FUNCTION public.make_room() IS 'Arguments: column that tells the age of a row, most rows of a user.';

CREATE FUNCTION public.notification_follows_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM settle_notification(NEW.notification_id);
    RETURN NULL;
  END $$;

CREATE FUNCTION public.organisation_search_text(name text, tax_number text, street text, house_number text, zip text, city text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower(((((((((((name || ''::text) || tax_number) || ''::text) || street) || ' '::text) || house_number) || ''::text) || zip) || ''::text) || city));

CREATE FUNCTION public.organisation_tree_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    IF NEW.deleted_at IS NOT NULL THEN
      IF EXISTS (SELECT 1 FROM organisation_closure WHERE ancestor_id = NEW.id) THEN
        RAISE restrict_violation USING CONSTRAINT = 'organisations_nothing_beneath',
          MESSAGE = 'organisations lie beneath it';
      END IF;
      IF EXISTS (SELECT 1 FROM users
        WHERE organisation_id = NEW.id AND enabled AND deleted_at IS NULL) THEN
        RAISE restrict_violation USING CONSTRAINT = 'organisations_no_enabled_users',
          MESSAGE = 'it still has enabled users';
      END IF;
      WITH removed AS (
        DELETE FROM organisation_closure WHERE descendant_id = NEW.id RETURNING ancestor_id
      )
      UPDATE organisations SET beneath_count = beneath_count - 1 WHERE id IN (SELECT ancestor_id FROM removed);
      RETURN NULL;
    END IF;
    PERFORM refuse_deleted_link(NEW);
    IF EXISTS (SELECT 1 FROM organisation_closure
      WHERE ancestor_id = NEW.id AND descendant_id = NEW.parent_id) THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_parent_no_circle', MESSAGE = 'circle over parent';
    END IF;
    IF EXISTS (SELECT 1 FROM organisation_closure
      WHERE ancestor_id = NEW.id AND descendant_id = NEW.reseller_id) THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_reseller_no_circle', MESSAGE = 'circle over reseller';
    END IF;
    
    -- Only links that change: whoever lies too deep from before stays there, and may come up step by step.
    PERFORM refuse_long_way(NEW,
      CASE WHEN NEW.parent_id IS DISTINCT FROM OLD.parent_id THEN NEW.parent_id END,
      CASE WHEN NEW.reseller_id IS DISTINCT FROM OLD.reseller_id THEN NEW.reseller_id END);
    PERFORM link_organisation(NEW.id);
    RETURN NULL;
  END $$;

CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    RAISE insufficient_privilege USING MESSAGE = format('audit_log is append-only: %s is refused', TG_OP),
      HINT = 'docs/audit.md says how its owner ends the retention of old rows.';
  END $$;

CREATE TABLE public.organisations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    tax_number character varying(64) NOT NULL,
    parent_id integer,
    reseller_id integer,
    street character varying(255) DEFAULT ''::character varying NOT NULL,
    house_number character varying(32) DEFAULT ''::character varying NOT NULL,
    zip character varying(32) DEFAULT ''::character varying NOT NULL,
    city character varying(255) DEFAULT ''::character varying NOT NULL,
    country_code character varying(2),
    organisation_type smallint DEFAULT 1 NOT NULL,
    external_id character varying(255),
    external_info_required smallint DEFAULT 0 NOT NULL,
    must_pay_tax boolean DEFAULT true NOT NULL,
    remarks_to_print_invoice character varying(4000),
    update_entities_only boolean DEFAULT false NOT NULL,
    prevent_deactivation boolean DEFAULT true NOT NULL,
    next_invoice_run timestamp with time zone,
    required_2fa boolean DEFAULT false NOT NULL,
    agency_mode integer DEFAULT 0 NOT NULL,
    bundle_pro_rata boolean DEFAULT false NOT NULL,
    test_account boolean DEFAULT false NOT NULL,
    before_first_order character varying(255),
    payment_period smallint DEFAULT 30 NOT NULL,
    document_interval character varying(64) DEFAULT '0'::character varying NOT NULL,
    commission_factor integer,
    source1 character varying(255),
    source2 character varying(255),
    reseller_kickback integer,
    default_reseller_kickback integer,
    pdf_invoice boolean DEFAULT false NOT NULL,
    peppol_invoicing boolean DEFAULT false NOT NULL,
    discount character varying(64) DEFAULT ''::character varying NOT NULL,
    is_soft boolean DEFAULT false NOT NULL,
    pre_payment_required boolean DEFAULT false NOT NULL,
    default_agreements jsonb DEFAULT '{}'::jsonb NOT NULL,
    information character varying(4000),
    price_group_id integer DEFAULT 1 NOT NULL,
    invoice_day_min smallint DEFAULT 1 NOT NULL,
    invoice_day_max smallint DEFAULT 28 NOT NULL,
    beneath_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT organisations_agreements_are_object CHECK ((jsonb_typeof(default_agreements) = 'object'::text)),
    CONSTRAINT organisations_external_info_known CHECK ((external_info_required = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT organisations_invoice_days_in_order CHECK (((invoice_day_min >= 1) AND (invoice_day_min <= invoice_day_max) AND (invoice_day_max <= 28))),
    CONSTRAINT organisations_not_its_own_parent CHECK ((parent_id <> id)),
    CONSTRAINT organisations_not_its_own_reseller CHECK ((reseller_id <> id)),
    CONSTRAINT organisations_operator_stays CHECK (((id <> 1) OR ((deleted_at IS NULL) AND (reseller_id IS NULL)))),
    CONSTRAINT organisations_payment_period_known CHECK ((payment_period = ANY (ARRAY[0, 30, 60, 90]))),
    CONSTRAINT organisations_root_is_operator CHECK (((id = 1) = (parent_id IS NULL)))
);

COMMENT ON COLUMN public.organisations.beneath_count IS 'How many organisations lie beneath this one; kept by the tree triggers so that totals need no counting.';

CREATE FUNCTION public.refuse_deleted_link(linked public.organisations) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM organisations WHERE id = linked.parent_id AND deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_parent_exists', MESSAGE = 'parent is deleted';
    END IF;
    IF EXISTS (SELECT 1 FROM organisations WHERE id = linked.reseller_id AND deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_reseller_exists', MESSAGE = 'reseller is deleted';
    END IF;
  END $$;

CREATE FUNCTION public.refuse_long_way(linked public.organisations, parent integer, reseller integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    down integer := CASE WHEN parent IS NOT NULL OR reseller IS NOT NULL THEN longest_way_down(linked.id) END;
  BEGIN
    IF parent IS NOT NULL AND longest_way_up(parent) + down > 32 THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_parent_depth', MESSAGE = 'too deep over parent';
    END IF;
    IF reseller IS NOT NULL AND longest_way_up(reseller) + down > 32 THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_reseller_depth', MESSAGE = 'too deep over reseller';
    END IF;
  END $$;

CREATE FUNCTION public.refuse_reserved_username() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM name_restorations WHERE lower(former_name) = lower(NEW.username)
      AND user_id <> NEW.id AND ended_at IS NULL AND expires_at > now()) THEN
      RAISE unique_violation USING CONSTRAINT = 'users_username_unique', MESSAGE = 'the name is reserved';
    END IF;
    RETURN NULL;
  END $$;

CREATE FUNCTION public.refuse_test_clock() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        LOCK TABLE organisations IN SHARE MODE;
        IF NOT is_unused_database() THEN
          RAISE check_violation USING CONSTRAINT = 'test_clock_of_unused_database',
            MESSAGE = 'the database is in use: its clock cannot be moved';
        END IF;
        RETURN NEW;
      END $$;

CREATE FUNCTION public.refuse_user_of_deleted_organisation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM 1 FROM organisations WHERE id = NEW.organisation_id AND deleted_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'users_organisation_exists', MESSAGE = 'organisation is deleted';
    END IF;
    RETURN NEW;
  END $$;

CREATE FUNCTION public.reserve_attempt(buckets bytea[], limits integer[], window_seconds integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
  DECLARE
    wait integer;
  BEGIN
    FOR i IN 1 .. array_length(buckets, 1) LOOP
      INSERT INTO attempts AS a VALUES (buckets[i], 1, now() + make_interval(secs => window_seconds))
      ON CONFLICT (bucket) DO UPDATE SET
        used = CASE WHEN a.resets_at <= now() THEN 1 ELSE a.used + 1 END,
        resets_at = CASE WHEN a.resets_at <= now() THEN excluded.resets_at ELSE a.resets_at END
      WHERE a.resets_at <= now() OR a.used < limits[i];
      IF NOT FOUND THEN
        SELECT greatest(1, ceil(extract(epoch FROM a.resets_at - now())))::integer INTO wait
        FROM attempts a WHERE a.bucket = buckets[i];
        UPDATE attempts SET used = used - 1 WHERE bucket = ANY (buckets[:i - 1]);
        RETURN coalesce(wait, 1);
      END IF;
    END LOOP;
    RETURN 0;
  END $$;

CREATE FUNCTION public.settle_notification(notification integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    -- The lock makes the second of two wait, and its next statement then sees what the first has written.
    PERFORM 1 FROM notifications WHERE id = notification FOR NO KEY UPDATE;
    UPDATE notifications SET status = CASE WHEN is_expanded THEN deliveries.status ELSE 0 END
    FROM (
  SELECT CASE
    WHEN bool_or(r.status = 'queued') THEN 0
    WHEN NOT coalesce(bool_or(r.status = 'failed'), false) THEN 1
    WHEN bool_or(r.status = 'sent') THEN 3
    ELSE 2 END AS status
  FROM notification_recipients r WHERE r.notification_id = notification) deliveries
    WHERE id = notification
      AND notifications.status <> CASE WHEN is_expanded THEN deliveries.status ELSE 0 END;
  END $$;

CREATE FUNCTION public.stamp_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], now()));
  END $$;

COMMENT ON FUNCTION public.stamp_change() IS 'Argument: column that tells when the change was made.';

CREATE FUNCTION public.user_search_text(username text, first_name text, last_name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower(((((username || ''::text) || first_name) || ' '::text) || last_name));

CREATE TABLE graphile_worker._private_job_queues (
    id integer NOT NULL,
    queue_name text NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    is_available boolean GENERATED ALWAYS AS ((locked_at IS NULL)) STORED NOT NULL,
    CONSTRAINT job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);

CREATE TABLE graphile_worker._private_known_crontabs (
    identifier text NOT NULL,
    known_since timestamp with time zone NOT NULL,
    last_execution timestamp with time zone
);

CREATE TABLE graphile_worker._private_tasks (
    id integer NOT NULL,
    identifier text NOT NULL,
    CONSTRAINT tasks_identifier_check CHECK ((length(identifier) <= 128))
);

ALTER TABLE graphile_worker._private_job_queues ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.job_queues_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW graphile_worker.jobs AS
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));

ALTER TABLE graphile_worker._private_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.jobs_id_seq1
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE graphile_worker.migrations (
    id integer NOT NULL,
    ts timestamp with time zone DEFAULT now() NOT NULL,
    breaking boolean DEFAULT false NOT NULL
);

ALTER TABLE graphile_worker._private_tasks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.acls (
    id integer NOT NULL,
    organisation_id integer NOT NULL,
    grantee_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    giver_organisation_id integer,
    CONSTRAINT acls_not_to_itself CHECK ((organisation_id <> grantee_id))
);

COMMENT ON TABLE public.acls IS 'The users of grantee may read organisation.';

COMMENT ON COLUMN public.acls.giver_organisation_id IS 'The organisation above that gave it, and without whose reach it ends; null: it does not depend on any.';

ALTER TABLE public.acls ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.acls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.api_keys (
    id integer NOT NULL,
    user_id integer NOT NULL,
    name character varying(255) NOT NULL,
    digest bytea NOT NULL,
    whitelist text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    read_only boolean DEFAULT false NOT NULL,
    rotated_at timestamp with time zone,
    told_days_left smallint
);

COMMENT ON COLUMN public.api_keys.digest IS 'SHA-256 of the key, which itself is stored nowhere.';

ALTER TABLE public.api_keys ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.attempts (
    bucket bytea NOT NULL,
    used integer NOT NULL,
    resets_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.attempts IS 'Guesses counted before they are checked, so that every node and all parallel requests share one count.';

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_user_id integer,
    actor_credential_kind character varying(32),
    actor_credential_id integer,
    actor_name character varying(255),
    address character varying(45),
    request_id character varying(64),
    action character varying(6) NOT NULL,
    table_name character varying(63) NOT NULL,
    record_id integer NOT NULL,
    organisation_id integer,
    before jsonb,
    after jsonb
);

COMMENT ON TABLE public.audit_log IS 'Every change of credentials, rights, users, organisations and grants; append-only.';

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.contacts (
    id integer NOT NULL,
    organisation_id integer NOT NULL,
    user_id integer,
    type character varying(8) NOT NULL,
    name character varying(254) NOT NULL,
    unique_key character varying(254) NOT NULL,
    groups text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    address_changed_at timestamp with time zone,
    CONSTRAINT contacts_groups_known CHECK ((groups <@ ARRAY['System'::text, 'Domain'::text, 'App'::text, 'Finance'::text, 'Job'::text, 'Crm'::text, 'Mail'::text])),
    CONSTRAINT contacts_type_known CHECK (((type)::text = ANY ((ARRAY['email'::character varying, 'phone'::character varying, 'slack'::character varying])::text[])))
);

COMMENT ON COLUMN public.contacts.user_id IS 'Null for a contact of the organisation itself.';

COMMENT ON COLUMN public.contacts.unique_key IS 'Equal for two spellings of one address of the same type.';

ALTER TABLE public.contacts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.contacts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.entities (
    id integer NOT NULL,
    kind character varying(16) NOT NULL,
    object_id integer NOT NULL,
    organisation_id integer NOT NULL,
    name character varying(255) NOT NULL,
    domains jsonb,
    CONSTRAINT entities_domains_of_mailgroups CHECK (((((kind)::text = 'mailgroup'::text) = (domains IS NOT NULL)) AND (jsonb_typeof(domains) = 'array'::text))),
    CONSTRAINT entities_kind_known CHECK (((kind)::text = ANY ((ARRAY['app'::character varying, 'domain'::character varying, 'mailgroup'::character varying, 'system'::character varying])::text[]))),
    CONSTRAINT entities_object_id_positive CHECK ((object_id > 0))
);

ALTER TABLE public.entities ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.entities_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.invitations (
    id integer NOT NULL,
    organisation_id integer NOT NULL,
    inviter_id integer NOT NULL,
    email character varying(254) NOT NULL,
    first_name character varying(255) NOT NULL,
    last_name character varying(255) NOT NULL,
    language character varying(2) DEFAULT 'nl'::character varying NOT NULL,
    auto_roles text[] DEFAULT '{}'::text[] NOT NULL,
    auto_teams integer[] DEFAULT '{}'::integer[] NOT NULL,
    token_digest bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    deleted_at timestamp with time zone,
    CONSTRAINT invitations_language_known CHECK (((language)::text = ANY ((ARRAY['nl'::character varying, 'en'::character varying, 'fr'::character varying])::text[])))
);
ALTER TABLE ONLY public.invitations ALTER COLUMN organisation_id SET (n_distinct=-0.5);

ALTER TABLE public.invitations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.invitations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.known_networks (
    id integer NOT NULL,
    user_id integer NOT NULL,
    network cidr NOT NULL,
    last_login_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON COLUMN public.known_networks.network IS 'A /24 of IPv4 or a /64 of IPv6.';

ALTER TABLE public.known_networks ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.known_networks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.logins (
    id integer NOT NULL,
    user_id integer NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    address character varying(45) NOT NULL,
    user_agent character varying(512) DEFAULT ''::character varying NOT NULL,
    os character varying(128) DEFAULT ''::character varying NOT NULL,
    browser character varying(128) DEFAULT ''::character varying NOT NULL,
    country character varying(2) DEFAULT ''::character varying NOT NULL
);

COMMENT ON COLUMN public.logins.digest IS 'SHA-256 of the login hash, which itself is stored nowhere.';

ALTER TABLE public.logins ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.logins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.mail_budgets (
    organisation_id integer NOT NULL,
    hour timestamp with time zone NOT NULL,
    used integer NOT NULL,
    granted integer NOT NULL
);

CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);

CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;

CREATE TABLE public.name_restorations (
    id integer NOT NULL,
    user_id integer NOT NULL,
    former_name character varying(254) NOT NULL,
    token_digest bytea NOT NULL,
    renamed_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);

COMMENT ON COLUMN public.name_restorations.token_digest IS 'SHA-256 of the token, which itself is stored nowhere.';

ALTER TABLE public.name_restorations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.name_restorations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notification_recipients (
    id integer NOT NULL,
    notification_id integer NOT NULL,
    contact_id integer,
    full_name character varying(511) NOT NULL,
    language character varying(2) NOT NULL,
    type character varying(16) NOT NULL,
    value character varying(255) NOT NULL,
    status character varying(16) NOT NULL,
    hash uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    kind character varying(8) DEFAULT 'contact'::character varying NOT NULL,
    user_id integer,
    message character varying(255) DEFAULT ''::character varying NOT NULL,
    queued_at timestamp with time zone,
    CONSTRAINT notification_recipients_kind_known CHECK (((kind)::text = ANY ((ARRAY['contact'::character varying, 'own'::character varying, 'gone'::character varying, 'invited'::character varying])::text[]))),
    CONSTRAINT notification_recipients_language_known CHECK (((language)::text = ANY ((ARRAY['nl'::character varying, 'en'::character varying, 'fr'::character varying])::text[]))),
    CONSTRAINT notification_recipients_status_known CHECK (((status)::text = ANY ((ARRAY['queued'::character varying, 'sent'::character varying, 'failed'::character varying, 'skipped'::character varying])::text[]))),
    CONSTRAINT notification_recipients_type_known CHECK (((type)::text = ANY ((ARRAY['email'::character varying, 'phone'::character varying, 'slack'::character varying])::text[])))
);
ALTER TABLE ONLY public.notification_recipients ALTER COLUMN notification_id SET (n_distinct=-0.5);

ALTER TABLE public.notification_recipients ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notification_recipients_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notifications (
    id integer NOT NULL,
    organisation_id integer NOT NULL,
    notification_group character varying(16) NOT NULL,
    type character varying(255) NOT NULL,
    entity_class character varying(64) NOT NULL,
    entity_id integer NOT NULL,
    entity_name character varying(255) NOT NULL,
    user_id integer,
    subject character varying(255),
    params jsonb DEFAULT '{}'::jsonb NOT NULL,
    send_mode integer DEFAULT 0 NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    about_user_id integer,
    is_expanded boolean DEFAULT true NOT NULL,
    CONSTRAINT notifications_group_known CHECK (((notification_group)::text = ANY ((ARRAY['App'::character varying, 'Crm'::character varying, 'Domain'::character varying, 'Finance'::character varying, 'Mail'::character varying, 'System'::character varying])::text[]))),
    CONSTRAINT notifications_params_are_object CHECK ((jsonb_typeof(params) = 'object'::text)),
    CONSTRAINT notifications_status_known CHECK (((status >= 0) AND (status <= 3)))
);

ALTER TABLE public.notifications ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifications_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.organisation_closure (
    ancestor_id integer NOT NULL,
    descendant_id integer NOT NULL,
    CONSTRAINT organisation_closure_no_circle CHECK ((ancestor_id <> descendant_id))
);

COMMENT ON TABLE public.organisation_closure IS 'descendant lies beneath ancestor over parent and reseller links, to any depth; deleted organisations have no rows.';

CREATE TABLE public.organisation_types (
    identifier smallint NOT NULL,
    description character varying(64) NOT NULL
);

ALTER TABLE public.organisations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.organisations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.price_groups (
    id integer NOT NULL,
    description character varying(255) NOT NULL
);

ALTER TABLE public.price_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.price_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recovery_codes (
    id integer NOT NULL,
    user_id integer NOT NULL,
    "position" smallint NOT NULL,
    sealed_digest text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT recovery_codes_position_known CHECK ((("position" >= 1) AND ("position" <= 10)))
);

COMMENT ON COLUMN public.recovery_codes.sealed_digest IS 'SHA-256 of the code, encrypted with SECRETS_KEY: it is short enough to be found by its digest.';

ALTER TABLE public.recovery_codes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recovery_codes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recovery_requests (
    id integer NOT NULL,
    user_id integer NOT NULL,
    token_digest bytea NOT NULL,
    code_digest bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    code_expires_at timestamp with time zone NOT NULL,
    code_used_at timestamp with time zone,
    ended_at timestamp with time zone
);

COMMENT ON COLUMN public.recovery_requests.token_digest IS 'SHA-256 of the reset token, which itself is stored nowhere.';

COMMENT ON COLUMN public.recovery_requests.code_digest IS 'Keyed digest of the confirmation code: eight digits can be tried out.';

ALTER TABLE public.recovery_requests ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recovery_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.ssh_keys (
    id integer NOT NULL,
    organisation_id integer,
    user_id integer,
    description character varying(255) NOT NULL,
    type character varying(64) NOT NULL,
    blob bytea NOT NULL,
    bits integer NOT NULL,
    comment text NOT NULL,
    fingerprint character varying(47) NOT NULL,
    key_digest bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    key_changed_at timestamp with time zone,
    CONSTRAINT ssh_keys_one_owner CHECK ((num_nonnulls(organisation_id, user_id) = 1))
);

COMMENT ON COLUMN public.ssh_keys.key_digest IS 'SHA-256 of type and blob, the part of a key that is unique over the whole service.';

ALTER TABLE public.ssh_keys ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ssh_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.team_entities (
    id integer NOT NULL,
    team_id integer NOT NULL,
    kind character varying(16) NOT NULL,
    object_id integer NOT NULL,
    CONSTRAINT team_entities_kind_known CHECK (((kind)::text = ANY ((ARRAY['apps'::character varying, 'domains'::character varying, 'mailgroups'::character varying, 'systems'::character varying])::text[])))
);
ALTER TABLE ONLY public.team_entities ALTER COLUMN team_id SET (n_distinct=-0.5);

COMMENT ON TABLE public.team_entities IS 'Which apps, domains, mail groups and systems a team has access to.';

ALTER TABLE public.team_entities ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.team_entities_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.team_members (
    id integer NOT NULL,
    team_id integer NOT NULL,
    user_id integer NOT NULL
);
ALTER TABLE ONLY public.team_members ALTER COLUMN team_id SET (n_distinct=-0.5);

ALTER TABLE public.team_members ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.team_members_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.teams (
    id integer NOT NULL,
    organisation_id integer NOT NULL,
    name character varying(255) NOT NULL,
    admin_only boolean DEFAULT false NOT NULL,
    auto_add_sshkey boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.teams ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.teams_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.test_clock (
    id integer DEFAULT 1 NOT NULL,
    moved_seconds bigint DEFAULT 0 NOT NULL,
    CONSTRAINT test_clock_moved_at_most CHECK (((moved_seconds >= 0) AND (moved_seconds <= 630720000))),
    CONSTRAINT test_clock_once CHECK ((id = 1))
);

COMMENT ON TABLE public.test_clock IS 'Its one row marks a database of tests; it comes with the first admin or never.';

CREATE TABLE public.trusted_devices (
    id integer NOT NULL,
    user_id integer NOT NULL,
    digest bytea NOT NULL,
    user_agent character varying(512) NOT NULL,
    address character varying(45) NOT NULL,
    os character varying(128) DEFAULT ''::character varying NOT NULL,
    browser character varying(128) DEFAULT ''::character varying NOT NULL,
    country character varying(2) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

COMMENT ON COLUMN public.trusted_devices.digest IS 'SHA-256 of hash2fa, which itself is stored nowhere.';

ALTER TABLE public.trusted_devices ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.trusted_devices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_preferences (
    user_id integer NOT NULL,
    dark_theme boolean DEFAULT false NOT NULL,
    shortcuts json DEFAULT '[]'::json NOT NULL,
    CONSTRAINT user_preferences_shortcuts_are_array CHECK ((json_typeof(shortcuts) = 'array'::text))
);

CREATE TABLE public.users (
    id integer NOT NULL,
    organisation_id integer NOT NULL,
    username character varying(254) NOT NULL,
    first_name character varying(255) NOT NULL,
    last_name character varying(255) NOT NULL,
    language character varying(2) DEFAULT 'nl'::character varying NOT NULL,
    roles text[] DEFAULT '{}'::text[] NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    password_hash character varying(255) NOT NULL,
    second_factor character varying(16) DEFAULT 'disabled'::character varying NOT NULL,
    totp_secret text,
    totp_last_step bigint,
    website_order_information character varying(4000),
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    second_factor_changed_at timestamp with time zone,
    CONSTRAINT users_admins_are_operators CHECK (((organisation_id = 1) OR (NOT (roles @> ARRAY['ROLE_ADMIN'::text])))),
    CONSTRAINT users_language_known CHECK (((language)::text = ANY ((ARRAY['nl'::character varying, 'en'::character varying, 'fr'::character varying])::text[]))),
    CONSTRAINT users_roles_known CHECK ((roles <@ ARRAY['ROLE_ADMIN'::text, 'ROLE_CUSTADMIN'::text, 'ROLE_FINANCE'::text, 'ROLE_SYSTEM'::text, 'ROLE_DOMAIN'::text, 'ROLE_MAIL'::text, 'ROLE_APP'::text])),
    CONSTRAINT users_second_factor_has_secret CHECK (((((second_factor)::text <> 'enabled'::text) OR (totp_secret IS NOT NULL)) AND (((second_factor)::text <> 'disabled'::text) OR ((totp_secret IS NULL) AND (totp_last_step IS NULL))))),
    CONSTRAINT users_second_factor_known CHECK (((second_factor)::text = ANY ((ARRAY['disabled'::character varying, 'requested'::character varying, 'enabled'::character varying])::text[])))
);
ALTER TABLE ONLY public.users ALTER COLUMN organisation_id SET (n_distinct=-0.5);

ALTER TABLE public.users ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);

INSERT INTO graphile_worker.migrations VALUES (1, '2026-11-22 05:46:09.959913+00', true);
INSERT INTO graphile_worker.migrations VALUES (2, '2026-11-22 05:46:10.003198+00', false);
INSERT INTO graphile_worker.migrations VALUES (3, '2026-11-22 05:46:10.028011+00', true);
INSERT INTO graphile_worker.migrations VALUES (4, '2026-11-22 05:46:10.045295+00', false);
INSERT INTO graphile_worker.migrations VALUES (5, '2026-11-22 05:46:10.056876+00', false);
INSERT INTO graphile_worker.migrations VALUES (6, '2026-11-22 05:46:10.088313+00', false);
INSERT INTO graphile_worker.migrations VALUES (7, '2026-11-22 05:46:10.114787+00', false);
INSERT INTO graphile_worker.migrations VALUES (8, '2026-11-22 05:46:10.140568+00', false);
INSERT INTO graphile_worker.migrations VALUES (9, '2026-11-22 05:46:10.15434+00', false);
INSERT INTO graphile_worker.migrations VALUES (10, '2026-11-22 05:46:10.168433+00', false);
INSERT INTO graphile_worker.migrations VALUES (11, '2026-11-22 05:46:10.182254+00', true);
INSERT INTO graphile_worker.migrations VALUES (12, '2026-11-22 05:46:10.312822+00', false);
INSERT INTO graphile_worker.migrations VALUES (13, '2026-11-22 05:46:10.331508+00', true);
INSERT INTO graphile_worker.migrations VALUES (14, '2026-11-22 05:46:10.347826+00', true);
INSERT INTO graphile_worker.migrations VALUES (15, '2026-11-22 05:46:10.354348+00', false);
INSERT INTO graphile_worker.migrations VALUES (16, '2026-11-22 05:46:10.358019+00', true);
INSERT INTO graphile_worker.migrations VALUES (17, '2026-11-22 05:46:10.38034+00', false);
INSERT INTO graphile_worker.migrations VALUES (18, '2026-11-22 05:46:10.390236+00', false);
INSERT INTO graphile_worker.migrations VALUES (19, '2026-11-22 05:46:10.40351+00', true);

INSERT INTO public.migrations VALUES (1, 1700000000000, 'Foundation1700000000000');
INSERT INTO public.migrations VALUES (2, 1700000001000, 'Recovery1700000001000');
INSERT INTO public.migrations VALUES (3, 1700000002000, 'TrustedDevices1700000002000');
INSERT INTO public.migrations VALUES (4, 1700000003000, 'SshKeysAndPreferences1700000003000');
INSERT INTO public.migrations VALUES (5, 1700000004000, 'ContactsAndTeams1700000004000');
INSERT INTO public.migrations VALUES (6, 1700000006000, 'Notifications1700000006000');
INSERT INTO public.migrations VALUES (7, 1700000006100, 'Entities1700000006100');
INSERT INTO public.migrations VALUES (8, 1700000007000, 'Audit1700000007000');
INSERT INTO public.migrations VALUES (9, 1700000007100, 'PlannerStatistics1700000007100');
INSERT INTO public.migrations VALUES (10, 1795300000000, 'TreeDepth1795300000000');
INSERT INTO public.migrations VALUES (11, 1795300001000, 'Amounts1795300001000');
INSERT INTO public.migrations VALUES (12, 1795300010000, 'TrustedDeviceAmount1795300010000');
INSERT INTO public.migrations VALUES (13, 1795300011000, 'KnownNetworks1795300011000');
INSERT INTO public.migrations VALUES (14, 1795300030000, 'Mail1795300030000');
INSERT INTO public.migrations VALUES (15, 1795400000000, 'NameRestorations1795400000000');
INSERT INTO public.migrations VALUES (16, 1795400010000, 'GrantGivers1795400010000');
INSERT INTO public.migrations VALUES (17, 1795400011000, 'EntityRemoval1795400011000');
INSERT INTO public.migrations VALUES (18, 1795400030000, 'TestClock1795400030000');
INSERT INTO public.migrations VALUES (19, 1795400040000, 'TreeOfManyRows1795400040000');
INSERT INTO public.migrations VALUES (20, 1795400041000, 'ManyRowsAtOnce1795400041000');
INSERT INTO public.migrations VALUES (21, 1795400050000, 'LoginDevices1795400050000');
INSERT INTO public.migrations VALUES (22, 1795400051000, 'ApiKeysOfScripts1795400051000');
INSERT INTO public.migrations VALUES (23, 1795400052000, 'RecoveryCodes1795400052000');

INSERT INTO public.organisation_types VALUES (1, 'Customer');
INSERT INTO public.organisation_types VALUES (2, 'Reseller');
INSERT INTO public.organisation_types VALUES (3, 'Operator');

INSERT INTO public.price_groups VALUES (1, 'default');

SELECT pg_catalog.setval('graphile_worker.job_queues_id_seq', 1, false);

SELECT pg_catalog.setval('graphile_worker.jobs_id_seq1', 1, false);

SELECT pg_catalog.setval('graphile_worker.tasks_id_seq', 1, false);

SELECT pg_catalog.setval('public.acls_id_seq', 1, false);

SELECT pg_catalog.setval('public.api_keys_id_seq', 1, false);

SELECT pg_catalog.setval('public.audit_log_id_seq', 1, false);

SELECT pg_catalog.setval('public.contacts_id_seq', 1, false);

SELECT pg_catalog.setval('public.entities_id_seq', 1, false);

SELECT pg_catalog.setval('public.invitations_id_seq', 1, false);

SELECT pg_catalog.setval('public.known_networks_id_seq', 1, false);

SELECT pg_catalog.setval('public.logins_id_seq', 1, false);

SELECT pg_catalog.setval('public.migrations_id_seq', 23, true);

SELECT pg_catalog.setval('public.name_restorations_id_seq', 1, false);

SELECT pg_catalog.setval('public.notification_recipients_id_seq', 1, false);

SELECT pg_catalog.setval('public.notifications_id_seq', 1, false);

SELECT pg_catalog.setval('public.organisations_id_seq', 1, false);

SELECT pg_catalog.setval('public.price_groups_id_seq', 1, true);

SELECT pg_catalog.setval('public.recovery_codes_id_seq', 1, false);

SELECT pg_catalog.setval('public.recovery_requests_id_seq', 1, false);

SELECT pg_catalog.setval('public.ssh_keys_id_seq', 1, false);

SELECT pg_catalog.setval('public.team_entities_id_seq', 1, false);

SELECT pg_catalog.setval('public.team_members_id_seq', 1, false);

SELECT pg_catalog.setval('public.teams_id_seq', 1, false);

SELECT pg_catalog.setval('public.trusted_devices_id_seq', 1, false);

SELECT pg_catalog.setval('public.users_id_seq', 1, false);

ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_pkey1 PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_queue_name_key UNIQUE (queue_name);

ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_key_key1 UNIQUE (key);

ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_pkey1 PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_known_crontabs
    ADD CONSTRAINT known_crontabs_pkey PRIMARY KEY (identifier);

ALTER TABLE ONLY graphile_worker.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_identifier_key UNIQUE (identifier);

ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);

ALTER TABLE ONLY public.acls
    ADD CONSTRAINT acls_once UNIQUE (organisation_id, grantee_id);

ALTER TABLE ONLY public.acls
    ADD CONSTRAINT acls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_digest_unique UNIQUE (digest);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (bucket);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_once UNIQUE (kind, object_id);

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_token_unique UNIQUE (token_digest);

ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_once UNIQUE (user_id, network);

ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_digest_unique UNIQUE (digest);

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mail_budgets
    ADD CONSTRAINT mail_budgets_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY public.name_restorations
    ADD CONSTRAINT name_restorations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.name_restorations
    ADD CONSTRAINT name_restorations_token_unique UNIQUE (token_digest);

ALTER TABLE ONLY public.notification_recipients
    ADD CONSTRAINT notification_recipients_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organisation_closure
    ADD CONSTRAINT organisation_closure_pkey PRIMARY KEY (ancestor_id, descendant_id);

ALTER TABLE ONLY public.organisation_types
    ADD CONSTRAINT organisation_types_pkey PRIMARY KEY (identifier);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.price_groups
    ADD CONSTRAINT price_groups_description_unique UNIQUE (description);

ALTER TABLE ONLY public.price_groups
    ADD CONSTRAINT price_groups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_once UNIQUE (user_id, "position");

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_requests
    ADD CONSTRAINT recovery_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_requests
    ADD CONSTRAINT recovery_requests_token_unique UNIQUE (token_digest);

ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_key_unique UNIQUE (key_digest);

ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_entities
    ADD CONSTRAINT team_entities_once UNIQUE (team_id, kind, object_id);

ALTER TABLE ONLY public.team_entities
    ADD CONSTRAINT team_entities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_once UNIQUE (team_id, user_id);

ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.test_clock
    ADD CONSTRAINT test_clock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_digest_unique UNIQUE (digest);

ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_once UNIQUE (user_id, address, user_agent);

ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_preferences
    ADD CONSTRAINT user_preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);

CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));

CREATE INDEX acls_of_giver ON public.acls USING btree (giver_organisation_id, organisation_id) WHERE (giver_organisation_id IS NOT NULL);

CREATE INDEX acls_of_grantee ON public.acls USING btree (grantee_id, organisation_id);

CREATE INDEX api_keys_by_end ON public.api_keys USING btree (expires_at);

CREATE INDEX api_keys_of_user ON public.api_keys USING btree (user_id, id);

CREATE INDEX attempts_by_reset ON public.attempts USING btree (resets_at);

CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor_user_id, id) WHERE (actor_user_id IS NOT NULL);

CREATE INDEX audit_log_by_time ON public.audit_log USING btree (at);

CREATE INDEX audit_log_of_organisation ON public.audit_log USING btree (organisation_id, id);

CREATE INDEX audit_log_of_record ON public.audit_log USING btree (table_name, record_id, id);

CREATE INDEX contacts_of_organisation ON public.contacts USING btree (organisation_id, id);

CREATE INDEX contacts_of_user ON public.contacts USING btree (user_id, id);

CREATE UNIQUE INDEX contacts_unique_for_organisation ON public.contacts USING btree (organisation_id, type, unique_key) WHERE (user_id IS NULL);

CREATE UNIQUE INDEX contacts_unique_for_user ON public.contacts USING btree (user_id, type, unique_key) WHERE (user_id IS NOT NULL);

CREATE INDEX entities_of_organisation ON public.entities USING btree (organisation_id, kind, object_id);

CREATE INDEX invitations_of_organisation ON public.invitations USING btree (organisation_id, id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX invitations_one_open ON public.invitations USING btree (organisation_id, lower((email)::text)) WHERE ((accepted_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX known_networks_by_age ON public.known_networks USING btree (last_login_at);

CREATE INDEX logins_expiring ON public.logins USING btree (expires_at);

CREATE INDEX logins_of_user ON public.logins USING btree (user_id);

CREATE INDEX name_restorations_expiring ON public.name_restorations USING btree (expires_at);

CREATE INDEX name_restorations_of_user ON public.name_restorations USING btree (user_id, id);

CREATE INDEX name_restorations_reserved ON public.name_restorations USING btree (lower((former_name)::text)) WHERE (ended_at IS NULL);

CREATE INDEX notification_recipients_held ON public.notification_recipients USING btree (notification_id, id) WHERE (((status)::text = 'queued'::text) AND (queued_at IS NULL));

CREATE INDEX notification_recipients_of_user ON public.notification_recipients USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE UNIQUE INDEX notification_recipients_once ON public.notification_recipients USING btree (notification_id, type, lower((value)::text)) WHERE ((value)::text <> ''::text);

CREATE INDEX notification_recipients_waiting ON public.notification_recipients USING btree (queued_at) WHERE ((status)::text = 'queued'::text);

CREATE INDEX notifications_about_user ON public.notifications USING btree (about_user_id) WHERE (about_user_id IS NOT NULL);

CREATE INDEX notifications_of_group ON public.notifications USING btree (organisation_id, notification_group, id);

CREATE INDEX notifications_of_organisation ON public.notifications USING btree (organisation_id, id);

CREATE INDEX notifications_queued ON public.notifications USING btree (organisation_id, id) WHERE (status = 0);

CREATE INDEX organisation_closure_by_descendant ON public.organisation_closure USING btree (descendant_id);

CREATE INDEX organisations_by_name ON public.organisations USING btree (name, id) WHERE (deleted_at IS NULL);

CREATE INDEX organisations_parent ON public.organisations USING btree (parent_id);

CREATE INDEX organisations_reseller ON public.organisations USING btree (reseller_id);

CREATE INDEX organisations_search ON public.organisations USING gin (public.organisation_search_text((name)::text, (tax_number)::text, (street)::text, (house_number)::text, (zip)::text, (city)::text) public.gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX organisations_search_external_id ON public.organisations USING gin (lower((external_id)::text) public.gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX organisations_search_name ON public.organisations USING gin (lower((name)::text) public.gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX organisations_search_tax_number ON public.organisations USING gin (lower((tax_number)::text) public.gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX recovery_requests_expiring ON public.recovery_requests USING btree (expires_at);

CREATE INDEX recovery_requests_of_user ON public.recovery_requests USING btree (user_id, created_at);

CREATE UNIQUE INDEX recovery_requests_one_open ON public.recovery_requests USING btree (user_id) WHERE (ended_at IS NULL);

CREATE INDEX ssh_keys_of_organisation ON public.ssh_keys USING btree (organisation_id, id);

CREATE INDEX ssh_keys_of_user ON public.ssh_keys USING btree (user_id, id);

CREATE INDEX team_entities_of_object ON public.team_entities USING btree (kind, object_id);

CREATE INDEX team_members_of_user ON public.team_members USING btree (user_id);

CREATE UNIQUE INDEX teams_name_unique ON public.teams USING btree (organisation_id, lower((name)::text));

CREATE INDEX teams_of_organisation ON public.teams USING btree (organisation_id, id);

CREATE INDEX trusted_devices_expiring ON public.trusted_devices USING btree (expires_at);

CREATE INDEX users_enabled_admins ON public.users USING btree (id) WHERE ((deleted_at IS NULL) AND enabled AND (roles @> ARRAY['ROLE_ADMIN'::text]));

CREATE INDEX users_of_organisation ON public.users USING btree (organisation_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX users_search ON public.users USING gin (public.user_search_text((username)::text, (first_name)::text, (last_name)::text) public.gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX users_username_unique ON public.users USING btree (lower((username)::text)) WHERE (deleted_at IS NULL);

CREATE TRIGGER api_keys_limit_of_user AFTER INSERT ON public.api_keys REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.limit_rows('user_id', '50', 'api_keys_limit_of_user', 'true');

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.acls FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER DELETE OR UPDATE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.audit_change('last_used_at', 'told_days_left');

CREATE TRIGGER audit AFTER DELETE OR UPDATE ON public.contacts FOR EACH ROW EXECUTE FUNCTION public.audit_change('unique_key', 'address_changed_at');

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.entities FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.logins FOR EACH ROW EXECUTE FUNCTION public.audit_change('last_used_at');

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.name_restorations FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER DELETE OR UPDATE ON public.organisations FOR EACH ROW EXECUTE FUNCTION public.audit_change('beneath_count');

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.recovery_codes FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.recovery_requests FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER DELETE OR UPDATE ON public.ssh_keys FOR EACH ROW EXECUTE FUNCTION public.audit_change('blob', 'key_changed_at');

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.team_entities FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.team_members FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.teams FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.test_clock FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON public.trusted_devices FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER audit AFTER DELETE OR UPDATE ON public.users FOR EACH ROW EXECUTE FUNCTION public.audit_change('totp_last_step', 'second_factor_changed_at');

CREATE TRIGGER audit_inserts AFTER INSERT ON public.api_keys REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserts('last_used_at');

CREATE TRIGGER audit_inserts AFTER INSERT ON public.contacts REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserts('unique_key', 'address_changed_at');

CREATE TRIGGER audit_inserts AFTER INSERT ON public.organisations REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserts('beneath_count');

CREATE TRIGGER audit_inserts AFTER INSERT ON public.ssh_keys REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserts('blob', 'key_changed_at');

CREATE TRIGGER audit_inserts AFTER INSERT ON public.users REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserts('totp_last_step', 'second_factor_changed_at');

CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();

ALTER TABLE public.audit_log ENABLE ALWAYS TRIGGER audit_log_is_append_only;

CREATE TRIGGER contacts_limit_of_organisation AFTER INSERT ON public.contacts REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.limit_rows('organisation_id', '50', 'contacts_limit_of_organisation', 'user_id IS NULL');

CREATE TRIGGER contacts_limit_of_user AFTER INSERT ON public.contacts REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.limit_rows('user_id', '50', 'contacts_limit_of_user', 'true');

CREATE TRIGGER contacts_stamp_address BEFORE UPDATE OF unique_key ON public.contacts FOR EACH ROW WHEN (((old.unique_key)::text <> (new.unique_key)::text)) EXECUTE FUNCTION public.stamp_change('address_changed_at');

CREATE TRIGGER invitations_limit_of_organisation BEFORE INSERT ON public.invitations FOR EACH ROW WHEN ((new.organisation_id IS NOT NULL)) EXECUTE FUNCTION public.limit_rows('organisation_id', '1000', 'invitations_limit_of_organisation', 'accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()');

CREATE TRIGGER invitations_limit_of_organisation_again BEFORE UPDATE OF expires_at ON public.invitations FOR EACH ROW WHEN (((old.expires_at <= now()) AND (new.expires_at > now()) AND (new.accepted_at IS NULL))) EXECUTE FUNCTION public.limit_rows('organisation_id', '1000', 'invitations_limit_of_organisation', 'accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()');

CREATE TRIGGER keep_one_admin AFTER UPDATE OF roles, enabled, deleted_at ON public.users FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND old.enabled AND (old.roles @> ARRAY['ROLE_ADMIN'::text]) AND (NOT ((new.deleted_at IS NULL) AND new.enabled AND (new.roles @> ARRAY['ROLE_ADMIN'::text]))))) EXECUTE FUNCTION public.keep_one_admin();

CREATE TRIGGER known_networks_make_room AFTER INSERT ON public.known_networks FOR EACH ROW EXECUTE FUNCTION public.make_room('last_login_at', '20');

CREATE TRIGGER name_restorations_limit_of_user BEFORE INSERT ON public.name_restorations FOR EACH ROW EXECUTE FUNCTION public.limit_rows('user_id', '20', 'name_restorations_limit_of_user', 'ended_at IS NULL AND expires_at > now()');

CREATE TRIGGER notification_follows_deliveries AFTER UPDATE OF status ON public.notification_recipients FOR EACH ROW WHEN (((old.status)::text <> (new.status)::text)) EXECUTE FUNCTION public.notification_follows_deliveries();

CREATE TRIGGER organisation_closure_grants AFTER DELETE ON public.organisation_closure REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.end_grants_out_of_reach();

CREATE TRIGGER organisation_tree_insert AFTER INSERT ON public.organisations REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.link_inserted_organisations();

CREATE TRIGGER organisation_tree_lock BEFORE INSERT OR UPDATE OF parent_id, reseller_id, deleted_at ON public.organisations FOR EACH STATEMENT EXECUTE FUNCTION public.lock_organisation_tree();

CREATE TRIGGER organisation_tree_update AFTER UPDATE OF parent_id, reseller_id, deleted_at ON public.organisations FOR EACH ROW WHEN (((old.parent_id IS DISTINCT FROM new.parent_id) OR (old.reseller_id IS DISTINCT FROM new.reseller_id) OR ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)))) EXECUTE FUNCTION public.organisation_tree_update();

CREATE TRIGGER ssh_keys_limit_of_organisation AFTER INSERT ON public.ssh_keys REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.limit_rows('organisation_id', '200', 'ssh_keys_limit_of_organisation', 'user_id IS NULL');

CREATE TRIGGER ssh_keys_limit_of_user AFTER INSERT ON public.ssh_keys REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.limit_rows('user_id', '100', 'ssh_keys_limit_of_user', 'true');

CREATE TRIGGER ssh_keys_stamp_key BEFORE UPDATE OF key_digest ON public.ssh_keys FOR EACH ROW WHEN ((old.key_digest <> new.key_digest)) EXECUTE FUNCTION public.stamp_change('key_changed_at');

CREATE TRIGGER teams_limit_of_organisation BEFORE INSERT ON public.teams FOR EACH ROW WHEN ((new.organisation_id IS NOT NULL)) EXECUTE FUNCTION public.limit_rows('organisation_id', '200', 'teams_limit_of_organisation', 'true');

CREATE TRIGGER test_clock_of_unused_database BEFORE INSERT ON public.test_clock FOR EACH ROW EXECUTE FUNCTION public.refuse_test_clock();

ALTER TABLE public.test_clock ENABLE ALWAYS TRIGGER test_clock_of_unused_database;

CREATE TRIGGER trusted_devices_make_room AFTER INSERT ON public.trusted_devices FOR EACH ROW EXECUTE FUNCTION public.make_room('created_at', '20');

CREATE TRIGGER users_end_recovery_codes AFTER UPDATE OF second_factor ON public.users FOR EACH ROW WHEN ((((old.second_factor)::text = 'enabled'::text) AND ((new.second_factor)::text <> 'enabled'::text))) EXECUTE FUNCTION public.end_recovery_codes();

CREATE TRIGGER users_of_live_organisations BEFORE INSERT OR UPDATE OF enabled ON public.users FOR EACH ROW WHEN ((new.enabled AND (new.deleted_at IS NULL))) EXECUTE FUNCTION public.refuse_user_of_deleted_organisation();

CREATE TRIGGER users_stamp_second_factor BEFORE UPDATE OF second_factor ON public.users FOR EACH ROW WHEN (((old.second_factor)::text <> (new.second_factor)::text)) EXECUTE FUNCTION public.stamp_change('second_factor_changed_at');

CREATE TRIGGER users_username_not_reserved AFTER INSERT OR UPDATE OF username ON public.users FOR EACH ROW WHEN ((new.deleted_at IS NULL)) EXECUTE FUNCTION public.refuse_reserved_username();

ALTER TABLE ONLY public.acls
    ADD CONSTRAINT acls_giver_exists FOREIGN KEY (giver_organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.acls
    ADD CONSTRAINT acls_grantee_exists FOREIGN KEY (grantee_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.acls
    ADD CONSTRAINT acls_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_inviter_exists FOREIGN KEY (inviter_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.name_restorations
    ADD CONSTRAINT name_restorations_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.notification_recipients
    ADD CONSTRAINT notification_recipients_notification_exists FOREIGN KEY (notification_id) REFERENCES public.notifications(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.organisation_closure
    ADD CONSTRAINT organisation_closure_ancestor_exists FOREIGN KEY (ancestor_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisation_closure
    ADD CONSTRAINT organisation_closure_descendant_exists FOREIGN KEY (descendant_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_parent_exists FOREIGN KEY (parent_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_price_group_exists FOREIGN KEY (price_group_id) REFERENCES public.price_groups(id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_reseller_exists FOREIGN KEY (reseller_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_type_exists FOREIGN KEY (organisation_type) REFERENCES public.organisation_types(identifier);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.recovery_requests
    ADD CONSTRAINT recovery_requests_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.team_entities
    ADD CONSTRAINT team_entities_team_exists FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_team_exists FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.user_preferences
    ADD CONSTRAINT user_preferences_user_exists FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_organisation_exists FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_known_crontabs ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY;

