-- Comparisons of texts without regard to case.

-- A function of its own, because one expression cannot name two collations.
CREATE FUNCTION lower_ascii(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(value COLLATE "C");

-- Every index and every query compares by this function, so that LC_CTYPE of the database does not matter. A letter has one
-- small form wherever it stands: a final sigma is a sigma, and an i is an i with its dot or without. The composed and the decomposed
-- form are equal. Texts of ASCII alone, which most are, take the short way.
CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(value) = length(value) THEN lower_ascii(value)
    ELSE replace(replace(replace(
      lower(CASE WHEN value IS NFC NORMALIZED THEN value ELSE normalize(value, NFC) END COLLATE "und-x-icu"),
      U&'i\0307', 'i'), U&'\0131', 'i'), U&'\03C2', U&'\03C3')
  END;
COMMENT ON FUNCTION fold_case IS 'The form of a text in which upper and lower case are equal.';

-- The text of which `fold_case` gives the letters one by one: each character stands in the place of its small form.
CREATE FUNCTION composed(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(normalize(value, NFC), U&'i\0307', 'i');

-- Whether a text names what a pattern of folded words finds. Erasures and the search for what they left compare by it alone.
-- In the text of a JSON value a line break or a tab is an escape, whose last letter would stand before the word: it counts as a blank.
-- It is no SQL function: that would compute a long text several times.
CREATE FUNCTION is_named_in(value text, pattern text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    RETURN fold_case(CASE WHEN strpos(value, '\') = 0 THEN value
      ELSE regexp_replace(value, '\\(?:[nrtbf]|u00[01][0-9a-f])', ' ', 'g') END) COLLATE "und-x-icu" ~ pattern;
  END $$;
COMMENT ON FUNCTION is_named_in IS 'Whether a pattern of folded words finds something in a text, whatever its case and normal form.';

CREATE FUNCTION forget_in_text(value text, pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    folded text := fold_case(value);
    shown text;
    remaining text := '';
    place integer := 1;
    first integer;
  BEGIN
    IF NOT coalesce(is_named_in(value, pattern), false) THEN RETURN value; END IF;
    shown := composed(value);
    LOOP
      first := regexp_instr(folded COLLATE "und-x-icu", pattern, place);
      EXIT WHEN first = 0;
      remaining := remaining || substr(shown, place, first - place) || '(erased)';
      place := regexp_instr(folded COLLATE "und-x-icu", pattern, place, 1, 1);
    END LOOP;
    RETURN remaining || substr(shown, place);
  END $$;
COMMENT ON FUNCTION forget_in_text IS 'A text without what the pattern finds. Where it finds nothing, the text stays as it is.';
