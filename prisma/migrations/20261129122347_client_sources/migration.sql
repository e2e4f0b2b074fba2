-- CreateEnum
CREATE TYPE "ClientSource" AS ENUM ('metadata', 'registration');

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "fetched_at" TIMESTAMPTZ(3),
ADD COLUMN     "source" "ClientSource";

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "agent_hosts" TEXT[] DEFAULT ARRAY[]::TEXT[];
