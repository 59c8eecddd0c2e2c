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

-- The text of which `fold_case` gives the letters one by one: each character stands in the place of its small form.
CREATE FUNCTION composed(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(normalize(value, NFC), U&'i\0307', 'i');

-- The text with its percent-encoded characters decoded. Bytes that are no UTF-8 stay as they are: an error would need a subtransaction.
-- A URL within a URL is encoded again (%2540), and so on: a percent sign counts as one, however often it is encoded.
CREATE FUNCTION percent_decoded(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (
    SELECT string_agg(CASE WHEN part.found[1] ~ '^%..' THEN convert_from(decode(replace(part.found[1], '%', ''), 'hex'), 'UTF8')
      ELSE part.found[1] END, '' ORDER BY part.place)
    FROM regexp_matches(regexp_replace(value, '%(?:25)+', '%', 'g'), '(?:%(?:0[1-9a-f]|[1-7][0-9a-f])|%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]'
      || '|%(?:e0%[ab]|e[1-9a-cef]%[89ab]|ed%[89])[0-9a-f]%[89ab][0-9a-f]'
      || '|%(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[0-9a-f](?:%[89ab][0-9a-f]){2})+|[^%]+|%', 'gi')
      WITH ORDINALITY AS part (found, place));
COMMENT ON FUNCTION percent_decoded IS 'A text with its percent-encoded characters decoded, as in URLs, however often they are encoded.';

-- Whether a text names what a pattern of folded words finds. Erasures and the search for what they left compare by it alone.
-- In the text of a JSON value a line break or a tab is an escape, whose last letter would stand before the word: it counts as a blank.
-- In a URL an address may be percent-encoded: the decoded text counts too.
-- It is no SQL function: that would compute a long text several times.
CREATE FUNCTION is_named_in(value text, pattern text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    blanked text := CASE WHEN strpos(value, '\') = 0 THEN value
      ELSE regexp_replace(value, '\\(?:[nrtbf]|u00[01][0-9a-f])', ' ', 'g') END;
  BEGIN
    RETURN fold_case(blanked) COLLATE "und-x-icu" ~ pattern
      OR (strpos(blanked, '%') > 0 AND fold_case(percent_decoded(blanked)) COLLATE "und-x-icu" ~ pattern);
  END $$;
COMMENT ON FUNCTION is_named_in IS 'Whether a pattern of folded words finds something in a text, whatever its case and normal form.';

CREATE FUNCTION forget_in_text(value text, pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    folded text;
    shown text;
    forgotten text := value;
    remaining text;
    place integer;
    first integer;
  BEGIN
    FOR pass IN 1..2 LOOP
      EXIT WHEN NOT coalesce(is_named_in(forgotten, pattern), false);
      -- What the first pass leaves is percent-encoded.
      IF pass = 2 THEN forgotten := percent_decoded(forgotten); END IF;
      folded := fold_case(forgotten);
      shown := composed(forgotten);
      remaining := '';
      place := 1;
      LOOP
        first := regexp_instr(folded COLLATE "und-x-icu", pattern, place);
        EXIT WHEN first = 0;
        remaining := remaining || substr(shown, place, first - place) || '(erased)';
        place := regexp_instr(folded COLLATE "und-x-icu", pattern, place, 1, 1);
      END LOOP;
      forgotten := remaining || substr(shown, place);
    END LOOP;
    RETURN forgotten;
  END $$;
COMMENT ON FUNCTION forget_in_text IS 'A text without what the pattern finds. Where it finds nothing, the text stays as it is.';
