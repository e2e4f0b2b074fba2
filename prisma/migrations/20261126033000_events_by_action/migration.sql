-- The feed of events reads each audited action of a team from a position on (schema/events/find-events.ts).
CREATE INDEX "audit_entries_team_id_action_transaction_id_at_id_idx" ON "audit_entries"("team_id", "action", "transaction_id", "at", "id");
