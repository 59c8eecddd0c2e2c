-- Comparisons of texts without regard to case.

-- The form of any text in which upper and lower case are equal. A letter has one small form wherever it stands: a final sigma is a
-- sigma, and an i is an i with its dot or without. The composed and the decomposed form are equal. Texts of ASCII alone, which
-- most are, take the short way. It is no SQL function: the planner puts the body of such a function in the place of each call, and
-- does so anew for every statement where statistics (statistics.sql) are on it. It names nothing outside pg_catalog, because indexes
-- use it while a dump is restored.
CREATE FUNCTION fold_letters(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN
      RETURN lower(value COLLATE "C");
    END IF;
    RETURN replace(replace(replace(
      lower(CASE WHEN value IS NFC NORMALIZED THEN value ELSE normalize(value, NFC) END COLLATE "und-x-icu"),
      E'i\u0307', 'i'), E'\u0131', 'i'), E'\u03C2', E'\u03C3');
  END $$;

-- Every index and every query compares by this function, so that LC_CTYPE of the database does not matter. Its body is
-- short and saves most texts the call.
CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") ELSE fold_letters(value) END;
COMMENT ON FUNCTION fold_case IS 'The form of a text in which upper and lower case are equal.';
