-- Staff read the entries of all teams by time. In exchange, the index goes that only the order by actor within a team used: each index
-- costs every change (docs/decisions/pagination.md#kept-counts).
DROP INDEX "audit_entries_team_id_actor_name_at_idx";
CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries"("at", "id");
