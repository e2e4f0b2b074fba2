-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "skipped_second_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "trusted_devices" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "trusted_devices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "trusted_devices_hash_key" ON "trusted_devices"("hash");

-- CreateIndex
CREATE INDEX "trusted_devices_user_id_idx" ON "trusted_devices"("user_id");

-- CreateIndex
CREATE INDEX "trusted_devices_expires_at_idx" ON "trusted_devices"("expires_at");

-- AddForeignKey
ALTER TABLE "trusted_devices" ADD CONSTRAINT "trusted_devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A change of what a user signs in with ends the trust in every browser, whichever path it takes: the account site, the command
-- line or an import. In the database, because a path that forgot it would leave a way around the second factor.
CREATE FUNCTION "end_trust_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "trusted_devices" WHERE "user_id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE TRIGGER "users_end_trust" AFTER UPDATE OF "password_hash", "totp_secret", "disabled_at" ON "users"
    FOR EACH ROW WHEN (
        OLD."password_hash" IS DISTINCT FROM NEW."password_hash"
        OR OLD."totp_secret" IS DISTINCT FROM NEW."totp_secret"
        OR OLD."disabled_at" IS DISTINCT FROM NEW."disabled_at"
    ) EXECUTE FUNCTION "end_trust_of_user"();

-- Once per statement: recovery codes are written ten at a time.
CREATE FUNCTION "end_trust_of_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "trusted_devices" WHERE "user_id" IN (SELECT "user_id" FROM changed);
    RETURN NULL;
END
$$;

CREATE TRIGGER "passkeys_added_end_trust" AFTER INSERT ON "passkeys"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();
CREATE TRIGGER "passkeys_deleted_end_trust" AFTER DELETE ON "passkeys"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();
CREATE TRIGGER "recovery_codes_added_end_trust" AFTER INSERT ON "recovery_codes"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();
CREATE TRIGGER "recovery_codes_deleted_end_trust" AFTER DELETE ON "recovery_codes"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();
