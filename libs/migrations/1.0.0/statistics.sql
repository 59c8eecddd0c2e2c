-- Tells the planner that the columns by which lists look up what belongs to each of their rows have a different value in
-- every second row. Where one organisation has nearly all of them (a large customer on a young service), it would otherwise
-- count few values, expect as many rows for every other organisation, and read the whole table for each row of a list.

ALTER TABLE users ALTER COLUMN organisation_id SET (n_distinct = -0.5);
ALTER TABLE invitations ALTER COLUMN organisation_id SET (n_distinct = -0.5);
ALTER TABLE team_members ALTER COLUMN team_id SET (n_distinct = -0.5);
ALTER TABLE team_entities ALTER COLUMN team_id SET (n_distinct = -0.5);
ALTER TABLE notification_recipients ALTER COLUMN notification_id SET (n_distinct = -0.5);

-- Tells the planner how many rows have a part of a text. It does not use the statistics of the partial indexes on these
-- expressions, and expected one row in 10,000 for any long text. For a text that most organisations have it then read all of them
-- through the index, once for the total and once more for the page.

CREATE STATISTICS organisations_searched
  ON (organisation_search_text(name, tax_number, street, house_number, zip, city)) FROM organisations;
CREATE STATISTICS organisations_searched_name ON (search_form(name)) FROM organisations;
CREATE STATISTICS organisations_searched_tax_number ON (tax_number_form(tax_number)) FROM organisations;
CREATE STATISTICS organisations_searched_external_id ON (search_form(external_id)) FROM organisations;
CREATE STATISTICS users_searched ON (user_search_text(username, first_name, last_name)) FROM users;
