-- The filters and orders of the audit trail. Pages by time use the index that was there. None of these ends with the identifier:
-- entries of one instant are few, and each index costs every change.
CREATE INDEX "audit_entries_team_id_action_at_idx" ON "audit_entries"("team_id", "action", "at");
CREATE INDEX "audit_entries_team_id_actor_name_at_idx" ON "audit_entries"("team_id", "actor_name", "at");
CREATE INDEX "audit_entries_team_id_authentication_method_at_idx" ON "audit_entries"("team_id", "authentication_method", "at");
CREATE INDEX "audit_entries_team_id_subject_idx" ON "audit_entries"("team_id", "subject");

-- With the identifier, by which invitations of one instant are sorted.
DROP INDEX "invitations_team_id_created_at_idx";
CREATE INDEX "invitations_team_id_created_at_id_idx" ON "invitations"("team_id", "created_at", "id");
