-- CreateTable
CREATE TABLE "initial_access_tokens" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "initial_access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "initial_access_tokens_hash_key" ON "initial_access_tokens"("hash");

-- CreateIndex
CREATE INDEX "initial_access_tokens_team_id_created_at_id_idx" ON "initial_access_tokens"("team_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "initial_access_tokens_created_by_id_idx" ON "initial_access_tokens"("created_by_id");

-- CreateIndex
CREATE INDEX "initial_access_tokens_expires_at_idx" ON "initial_access_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "initial_access_tokens" ADD CONSTRAINT "initial_access_tokens_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "initial_access_tokens" ADD CONSTRAINT "initial_access_tokens_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
