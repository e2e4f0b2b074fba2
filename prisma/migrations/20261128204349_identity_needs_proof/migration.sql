-- AlterTable
ALTER TABLE "external_identities" ADD COLUMN     "needs_proof" BOOLEAN NOT NULL DEFAULT false;
