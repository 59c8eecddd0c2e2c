-- Comparisons of texts without regard to case.

-- A function of its own, because one expression cannot name two collations.
CREATE FUNCTION lower_ascii(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(value COLLATE "C");

-- Every index and every query compares by this function, so that LC_CTYPE of the database does not matter. A letter has one
-- small form wherever it stands: a final sigma is a sigma, and the dot of a small dotted i does not count. The composed and the
-- decomposed form are equal. Texts of ASCII alone, which most are, take the short way.
CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(value) = length(value) THEN lower_ascii(value)
    ELSE replace(replace(
      lower(CASE WHEN value IS NFC NORMALIZED THEN value ELSE normalize(value, NFC) END COLLATE "und-x-icu"),
      U&'i\0307', 'i'), U&'\03C2', U&'\03C3')
  END;
COMMENT ON FUNCTION fold_case IS 'The form of a text in which upper and lower case are equal.';
