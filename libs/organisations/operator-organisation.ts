/** What runs a statement in the transaction: TypeORM's manager, or a plain connection. */
interface Connection {
  query(text: string): Promise<unknown>;
}

/** Creates the operator organisation, the root of the tree, where there is none. Two that try at once do it once. */
export async function ensureOperatorOrganisation(connection: Connection): Promise<void> {
  await connection.query(`
    DO $$ BEGIN
      -- A table that is in use is neither locked nor are its ids touched.
      IF EXISTS (SELECT 1 FROM organisations WHERE id = 1) THEN RETURN; END IF;
      LOCK TABLE organisations IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO organisations (id, name, tax_number, organisation_type) VALUES (1, 'Operator', '', 3)
        ON CONFLICT DO NOTHING;
      PERFORM setval(pg_get_serial_sequence('organisations', 'id'), greatest(max(id), 1)) FROM organisations;
    END $$`);
}
