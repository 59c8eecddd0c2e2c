/** What the catalogue says of every table, column, constraint, index, trigger and function of the service. */
export const CATALOGUE = `
  SELECT 'table' AS kind, c.oid::regclass::text AS name,
    concat_ws(' ', relkind, relpersistence, reloptions::text, obj_description(c.oid, 'pg_class')) AS definition
  FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND relname !~ '^migrations'
  UNION ALL
  SELECT 'column', attrelid::regclass || '.' || attname,
    concat_ws(' ', row_number() OVER (PARTITION BY attrelid ORDER BY attnum), format_type(atttypid, atttypmod),
      attnotnull, attidentity, attstorage, substring(attoptions::text FROM 'n_distinct=[^,}]*'),
      pg_get_expr(adbin, adrelid), col_description(attrelid, attnum))
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
    AND attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT 'constraint', conrelid::regclass || '.' || conname, concat_ws(' ', convalidated, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 'migrations'::regclass
  UNION ALL
  SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
  UNION ALL
  SELECT 'trigger', tgrelid::regclass || '.' || tgname, concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid))
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function', p.oid::regprocedure::text,
    concat_ws(' ', pg_get_functiondef(p.oid), proacl IS NULL, obj_description(p.oid, 'pg_proc'))
  FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY 1, 2`;
