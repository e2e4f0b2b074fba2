-- Pages of lists with a filter or in an order that the present indexes do not lead to. Without them, PostgreSQL reads all rows of the team.
CREATE INDEX "members_team_id_role_joined_at_user_id_idx" ON "members"("team_id", "role", "joined_at", "user_id");
CREATE INDEX "invoices_team_id_status_invoice_date_id_idx" ON "invoices"("team_id", "status", "invoice_date", "id");
CREATE INDEX "invoices_team_id_currency_invoice_date_id_idx" ON "invoices"("team_id", "currency", "invoice_date", "id");
CREATE INDEX "invoices_team_id_due_date_id_idx" ON "invoices"("team_id", "due_date", "id");
