-- Rows for the tables that the written samples leave empty: for the dump of a release (docs/release.md).
SELECT set_config('audit.actor', '{"userId":1,"kind":"command","name":"fixture"}', false);
INSERT INTO acls (organisation_id, grantee_id, made_by_organisation)
  SELECT min(id), max(id), 1 FROM organisations WHERE deleted_at IS NULL AND id > 1;
INSERT INTO service_keys (organisation_id, name, digest, operations, expires_at)
  VALUES (1, 'Billing', sha256('service key'), '{invitations.create}', '2030-01-01');
INSERT INTO team_entities (team_id, kind, object_id) SELECT min(id), 'apps', 7 FROM teams;
INSERT INTO documents (id, organisation_id, name, xml_file, xml_size, xml_sha256)
  SELECT 7001, min(id), 'Invoice 7001', '7d7c7f0e-0d0f-4a0e-8f0a-0c0d0e0f0001', 9,
    encode(sha256('<invoice>'), 'hex') FROM organisations WHERE deleted_at IS NULL AND id > 1;
INSERT INTO document_pieces VALUES ('7d7c7f0e-0d0f-4a0e-8f0a-0c0d0e0f0001', 0, 7001, '<invoice>');
INSERT INTO document_links (document_id, contact_id, digest, expires_at) SELECT 7001, min(id), sha256('link'), '2030-01-01' FROM contacts;
INSERT INTO erasures VALUES (90001, '2026-11-01');
INSERT INTO brands (organisation_id, name, support_url, link_key)
  SELECT min(id), 'Kantoor', 'help@kantoor.example', gen_random_uuid() FROM organisations WHERE id > 1 AND deleted_at IS NULL;
INSERT INTO webhooks (organisation_id, url, events, encrypted_secret, made_after) VALUES (1, 'https://receiver.example/hook', '{user.created}', 'encrypted', 0);
INSERT INTO webhook_deliveries (webhook_id, message_id, event, body)
  SELECT id, '7d7c7f0e-0d0f-4a0e-8f0a-0c0d0e0f0002', 'user.created', '{}' FROM webhooks LIMIT 1;
INSERT INTO mails (message_id, template, address, language, texts, origin, customer_id, queued_at)
  VALUES ('7d7c7f0e-0d0f-4a0e-8f0a-0c0d0e0f0003', 'invitation', 'told@example.com', 'nl', '{}', '{}', 1, now());
INSERT INTO attempts VALUES ('\x01', 1, '2030-01-01') ON CONFLICT DO NOTHING;
