-- The entries of all teams by actor, for staff.
CREATE INDEX "audit_entries_actor_name_at_idx" ON "audit_entries"("actor_name", "at");
