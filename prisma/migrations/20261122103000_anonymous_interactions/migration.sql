-- AlterTable
ALTER TABLE "oidc_models" ADD COLUMN     "network_hash" BYTEA;

-- What schema.prisma cannot express: only interactions of browsers without a session have a network. The first index counts
-- those of one network, the second finds the oldest of all.
CREATE INDEX "oidc_models_pending_by_network" ON "oidc_models"("network_hash", "expires_at") WHERE "network_hash" IS NOT NULL;
CREATE INDEX "oidc_models_pending" ON "oidc_models"("expires_at") WHERE "network_hash" IS NOT NULL;
