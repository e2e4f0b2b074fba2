-- AlterTable
ALTER TABLE "users" ADD COLUMN     "staff" BOOLEAN NOT NULL DEFAULT false;
