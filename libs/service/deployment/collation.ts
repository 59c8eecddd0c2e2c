/** Collations by which the text in indexes was sorted in another version than the system has now. */
export const CHANGED_COLLATIONS = `
  SELECT datname || ': ' || datcollversion || ', now ' || actual AS example
  FROM pg_database, pg_database_collation_actual_version(oid) actual
  WHERE datname = current_database() AND datcollversion <> actual
  UNION ALL
  SELECT collname || ': ' || collversion || ', now ' || pg_collation_actual_version(oid) FROM pg_collation
  WHERE collname = 'und-x-icu' AND collversion <> pg_collation_actual_version(oid)`;

export const SORTED_OTHERWISE = 'the text was sorted by another version of the system';
export const SORT_ANEW =
  'REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION and ALTER COLLATION "und-x-icu" REFRESH VERSION';
