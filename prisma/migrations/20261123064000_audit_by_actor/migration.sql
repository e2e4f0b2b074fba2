-- The entries of one user in a team by time. It replaces the index on the user alone, whose entries it finds as well.
CREATE INDEX "audit_entries_actor_user_id_team_id_at_idx" ON "audit_entries"("actor_user_id", "team_id", "at");
DROP INDEX "audit_entries_actor_user_id_idx";
