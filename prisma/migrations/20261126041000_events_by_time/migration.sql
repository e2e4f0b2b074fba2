-- What happens by time is recorded once (schema/events/record-timed-events.ts).
ALTER TABLE "invitations" ADD COLUMN "expiry_recorded_at" TIMESTAMPTZ(3);
ALTER TABLE "access_tokens" ADD COLUMN "expiry_events" SMALLINT NOT NULL DEFAULT 0;

-- What happened before this version is no news.
UPDATE "invitations" SET "expiry_recorded_at" = "expires_at" WHERE "status" IN ('pending', 'expired') AND "expires_at" <= now();

CREATE INDEX "invitations_expiry_unrecorded" ON "invitations" ("expires_at")
    WHERE "status" IN ('pending', 'expired') AND "expiry_recorded_at" IS NULL;
CREATE INDEX "access_tokens_expiry_events" ON "access_tokens" ("expires_at")
    WHERE "kind" = 'team' AND "revoked_at" IS NULL AND "expiry_events" < 2;
