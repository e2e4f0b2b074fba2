-- CreateEnum
CREATE TYPE "ClientState" AS ENUM ('draft', 'submitted', 'listed', 'rejected');

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "jwks" JSONB,
ADD COLUMN     "jwks_uri" TEXT,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "owner_team_id" UUID,
ADD COLUMN     "proposed_changes" JSONB,
ADD COLUMN     "rejection_reason" TEXT,
ADD COLUMN     "require_key_authentication" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "require_pushed_authorization_requests" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "state" "ClientState" NOT NULL DEFAULT 'listed';

-- CreateTable
CREATE TABLE "authorization_failures" (
    "oauth_client_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "cause" TEXT NOT NULL,
    "sent" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "authorization_failures_pkey" PRIMARY KEY ("oauth_client_id","day","cause","sent")
);

-- CreateTable
CREATE TABLE "workload_identities" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "conditions" JSONB NOT NULL,
    "scopes" TEXT[],
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "workload_identities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "authorization_failures_day_idx" ON "authorization_failures"("day");

-- CreateIndex
CREATE INDEX "workload_identities_team_id_created_at_id_idx" ON "workload_identities"("team_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "workload_identities_created_by_id_idx" ON "workload_identities"("created_by_id");

-- CreateIndex
CREATE INDEX "oauth_clients_owner_team_id_created_at_id_idx" ON "oauth_clients"("owner_team_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_owner_team_id_fkey" FOREIGN KEY ("owner_team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_failures" ADD CONSTRAINT "authorization_failures_oauth_client_id_fkey" FOREIGN KEY ("oauth_client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload_identities" ADD CONSTRAINT "workload_identities_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload_identities" ADD CONSTRAINT "workload_identities_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
