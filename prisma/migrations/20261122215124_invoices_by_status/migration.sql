-- Finds the open and the overdue invoices of a team among many that are paid.
CREATE INDEX "invoices_team_id_status_due_date_idx" ON "invoices"("team_id", "status", "due_date");
