-- Comparisons of texts without regard to case, and searches without regard to accents and blanks.

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

-- What is left of a folded text for a search (rule requests 56): no accents, apostrophes, blanks and characters that nobody sees, and
-- for letters with a stroke and double letters those that people type instead. Control characters stay: they separate texts.
CREATE FUNCTION without_marks(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(folded) = length(folded) THEN
      RETURN translate(folded, E' \t\'`', '');
    END IF;
    RETURN replace(replace(replace(translate(
      regexp_replace(normalize(folded, NFD) COLLATE "C", E'[ \t\'`\u00A0\u00AD\u00B4\u02B9-\u02BF\u02C8\u0300-\u036F\u055A'
        || E'\u1680\u1AB0-\u1AFF\u1DC0-\u1DFF\u2000-\u200D\u2018-\u201B\u202F\u2032\u205F\u2060\u20D0-\u20FF\u3000\uFE20-\uFE2F'
        || E'\uFEFF\uFF07\uFF40]', '', 'g'),
      'łøđðħŧ', 'loddht'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  END $$;

-- Searches and their indexes compare by this function: its callers are inlined into calls of the two functions alone.
CREATE FUNCTION search_form(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN without_marks(fold_letters(value));
COMMENT ON FUNCTION search_form IS 'The form of a text in which searches look for a part of it.';

-- A number without the punctuation by which countries group its digits. One of punctuation alone, or a pattern of it, stays.
CREATE FUNCTION without_punctuation(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    bare text := translate(value, E'.,:;/-\u2010\u2011\u2012\u2013\u2014\u2212\u00B7', '');
  BEGIN
    RETURN CASE WHEN bare IN ('', '%%') THEN value ELSE bare END;
  END $$;

CREATE FUNCTION tax_number_form(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN without_punctuation(without_marks(fold_letters(value)));
COMMENT ON FUNCTION tax_number_form IS 'The search form of a tax number, which is written with and without punctuation.';
