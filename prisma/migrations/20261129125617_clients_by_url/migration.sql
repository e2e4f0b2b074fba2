-- CreateIndex
CREATE INDEX "oauth_clients_fetched_at_idx" ON "oauth_clients"("fetched_at");

-- CreateIndex
CREATE INDEX "teams_agent_hosts_idx" ON "teams" USING GIN ("agent_hosts");
