-- CreateIndex
CREATE INDEX "oauth_clients_fetched_at_idx" ON "oauth_clients"("fetched_at");
