-- CreateEnum
CREATE TYPE "MailLinkKind" AS ENUM ('verify_email', 'change_email', 'reset_password');

-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "cut_team_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "totp_last_step" INTEGER,
ADD COLUMN     "totp_secret" BYTEA;

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "uid_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "methods" TEXT[],
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" "MailLinkKind" NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "is_backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sessions_uid_hash_key" ON "sessions"("uid_hash");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "mail_links_token_hash_key" ON "mail_links"("token_hash");

-- CreateIndex
CREATE INDEX "mail_links_user_id_kind_created_at_idx" ON "mail_links"("user_id", "kind", "created_at");

-- CreateIndex
CREATE INDEX "mail_links_expires_at_idx" ON "mail_links"("expires_at");

-- CreateIndex
CREATE INDEX "recovery_codes_user_id_idx" ON "recovery_codes"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_uid_hash_fkey" FOREIGN KEY ("uid_hash") REFERENCES "oauth_artifacts"("uid_hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_links" ADD CONSTRAINT "mail_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What schema.prisma cannot say: lists are never null, nor is anything in them.

ALTER TABLE "access_tokens"
    ALTER COLUMN "cut_team_ids" SET NOT NULL,
    ADD CONSTRAINT "access_tokens_cut_team_ids_no_null" CHECK (array_position("cut_team_ids", NULL) IS NULL);
ALTER TABLE "sessions"
    ALTER COLUMN "methods" SET NOT NULL,
    ADD CONSTRAINT "sessions_methods_no_null" CHECK (array_position("methods", NULL) IS NULL);
ALTER TABLE "passkeys"
    ALTER COLUMN "transports" SET NOT NULL,
    ADD CONSTRAINT "passkeys_transports_no_null" CHECK (array_position("transports", NULL) IS NULL);

-- What the clean-up looks for every minute is found by the index of mail_links ("expires_at").
