-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "subject_name" TEXT;
