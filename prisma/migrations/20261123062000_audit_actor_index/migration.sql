-- The entries of one user, for the export of their data.
CREATE INDEX "audit_entries_actor_user_id_idx" ON "audit_entries"("actor_user_id");
