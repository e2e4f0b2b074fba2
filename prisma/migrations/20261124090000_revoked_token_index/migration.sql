-- Tokens that are not live are expired or revoked. Expiry has indexes already. Few tokens are revoked, so this one is small.
CREATE INDEX "access_tokens_revoked" ON "access_tokens"("team_id", "revoked_at") WHERE "revoked_at" IS NOT NULL;
