-- CreateEnum
CREATE TYPE "ClientSource" AS ENUM ('operator', 'team', 'metadata', 'registration');

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "fetched_at" TIMESTAMPTZ(3),
ADD COLUMN     "source" "ClientSource" NOT NULL DEFAULT 'operator';

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "agent_hosts" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "teams_agent_hosts_idx" ON "teams" USING GIN ("agent_hosts");

UPDATE "oauth_clients" SET "source" = 'team' WHERE "owner_team_id" IS NOT NULL;
