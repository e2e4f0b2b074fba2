-- A user who deletes the account can undo it for 14 days by signing in (docs/decisions/accounts.md#deletion).
ALTER TABLE "users" ADD COLUMN "deletion_requested_at" TIMESTAMPTZ(3);

-- What the clean-up looks for every minute.
CREATE INDEX "users_to_erase" ON "users" ("deletion_requested_at") WHERE "deletion_requested_at" IS NOT NULL;
