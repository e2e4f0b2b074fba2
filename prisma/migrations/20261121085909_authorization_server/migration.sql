-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "id_token_algorithm" TEXT NOT NULL DEFAULT 'ES256';

-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN     "cut_team_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "oauth_answers" (
    "artifact_hash" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "process_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_answers_pkey" PRIMARY KEY ("artifact_hash")
);

-- CreateTable
CREATE TABLE "guess_counts" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "guess_counts_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "guess_counts_expire_idx" ON "guess_counts"("expire");

-- AddForeignKey
ALTER TABLE "oauth_answers" ADD CONSTRAINT "oauth_answers_artifact_hash_fkey" FOREIGN KEY ("artifact_hash") REFERENCES "oauth_artifacts"("id_hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- What schema.prisma cannot say.

ALTER TABLE "oauth_clients"
    ADD CONSTRAINT "oauth_clients_id_token_algorithm_known" CHECK ("id_token_algorithm" IN ('ES256', 'RS256'));

-- Of a client, a person gives one grant a team at most, and one without: consenting again extends it. One that was
-- revoked, or that an owner cut a team from, counts no more, so that a new consent never revives what was taken away.
CREATE UNIQUE INDEX "oauth_grants_one_a_team" ON "oauth_grants" ("user_id", "oauth_client_id", "team_id") NULLS NOT DISTINCT
    WHERE "revoked_at" IS NULL AND "cut_team_ids" = '{}';

-- What the clean-up looks for every minute.
CREATE INDEX "oauth_grants_over" ON "oauth_grants" (least("expires_at", "revoked_at"));
CREATE INDEX "oauth_answers_delivered" ON "oauth_answers" ("delivered_at") WHERE "delivered_at" IS NOT NULL;

ALTER TABLE "oauth_grants"
    ALTER COLUMN "cut_team_ids" SET NOT NULL,
    ADD CONSTRAINT "oauth_grants_cut_team_ids_no_null" CHECK (array_position("cut_team_ids", NULL) IS NULL);
