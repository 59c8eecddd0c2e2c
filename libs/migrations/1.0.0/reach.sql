-- What a manager above made in an organisation does not outlive its reach (docs/rules/organisations.md 51).

-- What still waits of the mails of withdrawn invitations is sent no more.
CREATE FUNCTION withdraw_mails_of_invitations(withdrawn integer[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE notification_recipients r SET status = 'skipped', message = ''
    FROM invitations i JOIN notifications n
      ON n.organisation_id = i.organisation_id AND n.entity_class = 'Invitation' AND n.entity_id = i.id
    WHERE i.id = ANY (withdrawn) AND r.notification_id = n.id AND r.kind = 'invited' AND r.status = 'queued';
    PERFORM withdraw_mails(ARRAY(SELECT 'invitation:' || listed.id FROM unnest(withdrawn) AS listed (id)));
  END $$;

-- With the last link between two organisations goes its row of the closure, and with that whatever rests on it: in the statement
-- that removes the link.
CREATE FUNCTION end_out_of_reach() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    withdrawn integer[];
  BEGIN
    WITH ended_grants AS (
      DELETE FROM acls made USING removed
      WHERE made.made_by_organisation = removed.ancestor_id AND made.organisation_id = removed.descendant_id
    ), ended_keys AS (
      DELETE FROM service_keys made USING removed
      WHERE made.made_by_organisation = removed.ancestor_id AND made.organisation_id = removed.descendant_id
    ), ended_webhooks AS (
      DELETE FROM webhooks made USING removed
      WHERE made.made_by_organisation = removed.ancestor_id AND made.organisation_id = removed.descendant_id
    ), ended_invitations AS (
      UPDATE invitations made SET deleted_at = now() FROM removed
      WHERE made.made_by_organisation = removed.ancestor_id AND made.organisation_id = removed.descendant_id
        AND made.accepted_at IS NULL AND made.deleted_at IS NULL
      RETURNING made.id
    )
    SELECT array_agg(id) INTO withdrawn FROM ended_invitations;
    IF withdrawn IS NOT NULL THEN PERFORM withdraw_mails_of_invitations(withdrawn); END IF;
    RETURN NULL;
  END $$;
CREATE TRIGGER organisation_closure_end_out_of_reach AFTER DELETE ON organisation_closure REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION end_out_of_reach();
