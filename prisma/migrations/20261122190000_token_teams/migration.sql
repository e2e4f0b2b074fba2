-- A personal token can be limited to chosen teams. No element means no limit: a team is never removed from the list, so a
-- limited token cannot become an unlimited one.
ALTER TABLE "access_tokens" ADD COLUMN "team_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- When the owners of a token were reminded that it expires soon. The index has only tokens that may still need a reminder.
ALTER TABLE "access_tokens" ADD COLUMN "expiry_notified_at" TIMESTAMPTZ(3);
CREATE INDEX "access_tokens_to_notify" ON "access_tokens" ("expires_at")
  WHERE "expires_at" IS NOT NULL AND "revoked_at" IS NULL AND "expiry_notified_at" IS NULL;
