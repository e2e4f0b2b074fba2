-- AlterTable
ALTER TABLE "identity_providers" ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "failure" TEXT;
