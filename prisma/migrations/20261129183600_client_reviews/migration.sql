-- The order in which staff see the clients: first those that wait for a review (schema/staff/clients.ts).
CREATE INDEX "oauth_clients_review" ON "oauth_clients" ((CASE WHEN "state" = 'submitted' OR "proposed_changes" IS NOT NULL THEN 0 ELSE 1 END), "updated_at", "id");
