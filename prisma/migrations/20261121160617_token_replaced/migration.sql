-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "replaced_at" TIMESTAMPTZ(3);
