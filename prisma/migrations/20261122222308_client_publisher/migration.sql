-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "client_uri" TEXT,
ADD COLUMN     "policy_uri" TEXT,
ADD COLUMN     "publisher" TEXT,
ADD COLUMN     "tos_uri" TEXT,
ADD COLUMN     "verified" BOOLEAN NOT NULL DEFAULT false;
